import type { CreatePriceBody, Price } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
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
import { Switch } from '../../ui/switch/switch.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { CompanyField } from '../companies/company-field.tsx';
import { ModelFields, readModel } from './model-fields.tsx';
import { usePricesText } from './text.ts';

type Fields = Record<string, FormDataEntryValue>;
type Props = {
  look?: ButtonLook;
  /** The company that the price is for; absent where that is still to be chosen. */
  companyId?: string;
  /** The version that the new one follows, whose values it begins with. */
  previous?: Price;
};

/** Creates a price, or the next version of one. */
export function CreatePrice({ look = { variant: 'primary' }, ...rest }: Props) {
  const t = usePricesText();
  const reason = useLacksRole('finance');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t(rest.previous === undefined ? 'create' : 'createVersion')}
      </Button>
      {isOpen ? <CreateDialog {...rest} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ companyId: given, previous, onClose }: Omit<Props, 'look'> & { onClose: () => void }) {
  const t = usePricesText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [companyId, setCompanyId] = useState(previous?.companyId ?? given ?? null);
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields, options) => paydesk().operator.prices.create(toBody(fields, companyId), options),
    {
      onDone: () => {
        toast.add({ title: t('created') });
        for (const key of ['prices', 'operator-overview']) void queries.invalidateQueries({ queryKey: [key] });
        onClose();
      },
    },
  );
  const verb = t(previous === undefined ? 'create' : 'createVersion');
  return (
    <Dialog open onClose={onClose} title={verb} description={t('createText')} closeLabel={forms('close')} size="large">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {verb}
          </Button>
        }
      >
        {given === undefined && previous === undefined ? (
          <ForWhom companyId={companyId} onChange={setCompanyId} error={errors.companyId} />
        ) : null}
        <TextField
          label={words('words.title')}
          name="title"
          required
          autoComplete="off"
          defaultValue={previous?.title}
        />
        <TextField
          label={words('words.path')}
          name="path"
          required
          autoComplete="off"
          placeholder="/v1/transcriptions"
          defaultValue={previous?.path}
        />
        <FieldRow>
          <TextField
            label={words('words.currency')}
            name="currency"
            required
            defaultValue={previous?.currency ?? 'USD'}
            autoComplete="off"
          />
          <TextField label={t('from')} name="effectiveFrom" type="date" required />
        </FieldRow>
        <ModelFields previous={previous} />
        <TextField
          label={t('free')}
          name="freeRequests"
          inputMode="numeric"
          defaultValue={String(previous?.freeRequests ?? 0)}
        />
        <Switch label={t('pooled')} description={t('pooledText')} name="pooled" defaultChecked={previous?.pooled} />
      </Form>
    </Dialog>
  );
}

type ForWhomProps = { companyId: string | null; onChange: (companyId: string | null) => void; error?: string };

function ForWhom({ companyId, onChange, error }: ForWhomProps) {
  const t = usePricesText();
  return (
    <>
      <Select
        label={t('for')}
        value={companyId === null ? 'everybody' : 'company'}
        onChange={(value) => onChange(value === 'everybody' ? null : '')}
        options={[
          { value: 'everybody', label: t('everybody') },
          { value: 'company', label: t('oneCompany') },
        ]}
      />
      {companyId === null ? null : <CompanyField onChange={onChange} error={error} />}
    </>
  );
}

function toBody(fields: Fields, companyId: string | null): CreatePriceBody {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const body = {
    title: text('title'),
    path: text('path'),
    currency: text('currency').toUpperCase(),
    companyId,
    effectiveFrom: `${text('effectiveFrom')}T00:00:00Z`,
    freeRequests: Number(text('freeRequests') || '0'),
    pooled: fields.pooled !== undefined,
    ...readModel(text),
  };
  return body as CreatePriceBody;
}
