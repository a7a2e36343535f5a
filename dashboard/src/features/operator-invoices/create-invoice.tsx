import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button, type ButtonLook } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { CompanyField } from '../companies/company-field.tsx';
import { InvoicePreview } from './invoice-preview.tsx';
import { type DraftLine, LineFields, NEW_LINE } from './line-fields.tsx';
import { useOperatorInvoicesText } from './text.ts';

const METHODS = ['Card', 'paypal'] as const;
type Method = (typeof METHODS)[number];
type Fields = Record<string, FormDataEntryValue>;
type Draft = { companyId: string; currency: string; taxRate: string; method: Method; lines: DraftLine[] };

/** Issues an invoice. */
export function CreateInvoice({ companyId, look = { variant: 'primary' } }: { companyId?: string; look?: ButtonLook }) {
  const t = useOperatorInvoicesText();
  const reason = useLacksRole('finance');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t('create')}
      </Button>
      {isOpen ? <CreateDialog companyId={companyId} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ companyId: given, onClose }: { companyId?: string; onClose: () => void }) {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Partial<Draft>>({});
  const change = (values: Partial<Draft>) => setChanged((before) => ({ ...before, ...values }));
  const companyId = changed.companyId ?? given ?? '';
  const settings = useSettings(companyId);
  const draft: Draft = {
    currency: settings?.currency ?? 'USD',
    taxRate: settings === undefined || settings.taxExempt ? '0' : settings.taxRate,
    method: settings?.invoiceMethod ?? 'Card',
    lines: [NEW_LINE],
    ...changed,
    companyId,
  };
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields, options) => paydesk().operator.invoices.create(toBody(fields, draft), options),
    {
      onDone: ({ number }) => {
        toast.add({ title: t('created', { number }) });
        for (const name of ['operator-invoices', 'companies', 'operator-overview'])
          void queries.invalidateQueries({ queryKey: [name] });
        onClose();
      },
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('create')}
      description={t('createText')}
      closeLabel={forms('close')}
      size="large"
    >
      <Form
        errors={errors}
        message={message ?? errors.details ?? errors['details[0].currency']}
        onSubmit={(fields) => void submit(fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('create')}
          </Button>
        }
      >
        {given === undefined ? (
          <CompanyField onChange={(chosen) => change({ companyId: chosen })} error={errors.companyId} />
        ) : null}
        <FieldRow>
          <TextField label={t('periodFrom')} name="startAt" type="date" required />
          <TextField label={t('periodTo')} name="endAt" type="date" required />
          <TextField label={t('reference')} name="reference" autoComplete="off" description={t('referenceText')} />
        </FieldRow>
        <LineFields lines={draft.lines} onChange={(lines) => change({ lines })} />
        <FieldRow>
          <TextField
            label={words('words.currency')}
            name="currency"
            value={draft.currency}
            onChange={(currency) => change({ currency })}
            required
            autoComplete="off"
          />
          <TextField
            label={t('taxRate')}
            name="taxRate"
            value={draft.taxRate}
            onChange={(taxRate) => change({ taxRate })}
            inputMode="decimal"
            autoComplete="off"
          />
          <Select
            label={t('method')}
            value={draft.method}
            onChange={(method) => change({ method: method as Method })}
            options={METHODS.map((value) => ({ value, label: t(`methods.${value}`) }))}
          />
        </FieldRow>
        <InvoicePreview {...draft} settings={settings} />
      </Form>
    </Dialog>
  );
}

/** How the company is billed: where the draft says nothing else, the invoice is too. */
function useSettings(companyId: string) {
  const { data } = useQuery({
    queryKey: ['companies', companyId, 'billing-settings'],
    queryFn: ({ signal }) => paydesk().operator.companies.billingSettings.get(companyId, { signal }),
    enabled: companyId !== '',
  });
  return data;
}

const DAY_MS = 86_400_000;

/** The last day of the period is included, so that the half-open period ends a day later. */
function toBody(fields: Fields, { companyId, currency, taxRate, method, lines }: Draft) {
  const text = (name: string) => String(fields[name] ?? '').trim();
  return {
    companyId,
    startAt: `${text('startAt')}T00:00:00Z`,
    endAt: new Date(Date.parse(`${text('endAt')}T00:00:00Z`) + DAY_MS).toISOString(),
    method,
    taxRate: taxRate.trim() || '0',
    ...(text('reference') === '' ? {} : { reference: text('reference') }),
    details: lines.map(({ title, quantity, amount }) => ({
      title,
      totalRequest: quantity.trim() || '1',
      currency: currency.trim().toUpperCase(),
      amount: amount.trim(),
    })),
  };
}
