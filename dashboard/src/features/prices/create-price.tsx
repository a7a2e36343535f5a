import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button, type ButtonLook } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { usePricesText } from './text.ts';

const MODELS = ['flat', 'package'] as const;
type Model = (typeof MODELS)[number];
type Fields = Record<string, FormDataEntryValue>;

/** Creates a price of all companies. Prices with tiers are created by the API. */
export function CreatePrice({ look = { variant: 'primary' } }: { look?: ButtonLook }) {
  const t = usePricesText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setIsOpen(true)}>
        {t('create')}
      </Button>
      {isOpen ? <CreateDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = usePricesText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [model, setModel] = useState<Model>('flat');
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields, options) => paydesk().operator.prices.create(toBody(fields, model), options),
    {
      onDone: () => {
        toast.add({ title: t('created') });
        for (const key of ['prices', 'operator-overview']) void queries.invalidateQueries({ queryKey: [key] });
        onClose();
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('create')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('create')}
          </Button>
        }
      >
        <TextField label={words('words.title')} name="title" required autoComplete="off" />
        <TextField
          label={words('words.path')}
          name="path"
          required
          autoComplete="off"
          placeholder="/v1/transcriptions"
        />
        <FieldRow>
          <TextField label={words('words.currency')} name="currency" required defaultValue="USD" autoComplete="off" />
          <TextField label={t('from')} name="effectiveFrom" type="date" required />
        </FieldRow>
        <Select
          label={t('model')}
          value={model}
          onChange={(value) => setModel(value as Model)}
          options={MODELS.map((value) => ({ value, label: t(`models.${value}`) }))}
        />
        {model === 'flat' ? (
          <TextField label={t('unitAmount')} name="unitAmount" inputMode="decimal" required />
        ) : (
          <FieldRow>
            <TextField label={t('packageAmount')} name="packageAmount" inputMode="decimal" required />
            <TextField label={t('packageSize')} name="packageSize" inputMode="numeric" required />
          </FieldRow>
        )}
        <TextField label={t('free')} name="freeRequests" inputMode="numeric" defaultValue="0" />
      </Form>
    </Dialog>
  );
}

function toBody(fields: Fields, model: Model) {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const common = {
    title: text('title'),
    path: text('path'),
    currency: text('currency').toUpperCase(),
    effectiveFrom: `${text('effectiveFrom')}T00:00:00Z`,
    freeRequests: Number(text('freeRequests') || '0'),
  };
  return model === 'flat'
    ? { ...common, model, unitAmount: text('unitAmount') }
    : { ...common, model, packageAmount: text('packageAmount'), packageSize: Number(text('packageSize')) };
}
