import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button, type ButtonLook } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { CompanyField } from '../companies/company-field.tsx';
import { useOperatorInvoicesText } from './text.ts';

type Fields = Record<string, FormDataEntryValue>;

/** Issues an invoice of one line. Invoices with several lines are created by the API. */
export function CreateInvoice({ companyId, look = { variant: 'primary' } }: { companyId?: string; look?: ButtonLook }) {
  const t = useOperatorInvoicesText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setIsOpen(true)}>
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
  const [companyId, setCompanyId] = useState(given ?? '');
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields, options) => paydesk().operator.invoices.create(toBody({ ...fields, companyId }), options),
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
    <Dialog open onClose={onClose} title={t('create')} description={t('createText')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message ?? errors.details ?? errors['details[0].amount']}
        onSubmit={(fields) => void submit(fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('create')}
          </Button>
        }
      >
        {given === undefined ? <CompanyField onChange={setCompanyId} error={errors.companyId} /> : null}
        <FieldRow>
          <TextField label={t('periodFrom')} name="startAt" type="date" required />
          <TextField label={t('periodTo')} name="endAt" type="date" required />
        </FieldRow>
        <TextField label={t('line')} name="title" required autoComplete="off" />
        <FieldRow>
          <TextField label={t('net')} name="amount" inputMode="decimal" required />
          <TextField label={words('words.currency')} name="currency" defaultValue="USD" required autoComplete="off" />
          <TextField label={t('taxRate')} name="taxRate" inputMode="decimal" defaultValue="0" />
        </FieldRow>
      </Form>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;

/** The last day of the period is included, so that the half-open period ends a day later. */
function toBody(fields: Fields) {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const title = text('title');
  return {
    companyId: text('companyId'),
    startAt: `${text('startAt')}T00:00:00Z`,
    endAt: new Date(Date.parse(`${text('endAt')}T00:00:00Z`) + DAY_MS).toISOString(),
    taxRate: text('taxRate') || '0',
    details: [
      {
        title,
        path: `/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
        totalRequest: 1,
        currency: text('currency').toUpperCase(),
        amount: text('amount'),
      },
    ],
  };
}
