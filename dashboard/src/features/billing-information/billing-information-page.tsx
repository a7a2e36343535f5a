import type { BillingInformation } from '@paydesk/client';
import { useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { countryOptions } from '../../format/countries.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUnsaved } from '../../forms/use-unsaved.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import styles from './billing-information.module.css';
import { type Draft, draftOf, FIELDS } from './draft.ts';
import { BillToPreview } from './preview.tsx';
import { useBillingText } from './text.ts';
import { VatState } from './vat-state.tsx';

/** Who the invoices are for, beside how it will look on them. */
export function BillingInformationPage() {
  const t = useBillingText();
  const may = useMay();
  const [{ data: saved }, { data: settings }] = useSuspenseQueries({
    queries: [
      {
        queryKey: ['billing-information'],
        queryFn: ({ signal }: { signal: AbortSignal }) => paydesk().billingInformation.get({ signal }),
      },
      {
        queryKey: ['billing-settings'],
        queryFn: ({ signal }: { signal: AbortSignal }) => paydesk().billingSettings.get({ signal }),
      },
    ],
  });
  const [draft, setDraft] = useState(() => draftOf(saved));
  const hasChanges = FIELDS.some((name) => draft[name] !== saved[name]);
  useUnsaved(hasChanges);
  const { submit, isPending, errors, message } = useSave(setDraft);
  return (
    <Page title={t('title')} description={t('description')}>
      <div className={styles.columns}>
        <Card>
          <Form
            errors={errors}
            message={message}
            onSubmit={() => void submit(draft)}
            actions={
              <Button
                type="submit"
                variant="primary"
                pending={isPending}
                disabledReason={may('platform.billing.all') ? undefined : t('notAllowed')}
              >
                {t('save')}
              </Button>
            }
          >
            <Fields draft={draft} onChange={(name, value) => setDraft((before) => ({ ...before, [name]: value }))} />
            <VatState settings={settings} draft={draft} isSaved={!hasChanges} />
          </Form>
        </Card>
        <BillToPreview draft={draft} />
      </div>
    </Page>
  );
}

type FieldsProps = { draft: Draft; onChange: (name: keyof Draft, value: string) => void };

function Fields({ draft, onChange }: FieldsProps) {
  const t = useBillingText();
  const language = useLanguage();
  const field = (name: keyof Draft, autoComplete: string) => (
    <TextField
      label={t(`fields.${name}`)}
      name={name}
      autoComplete={autoComplete}
      value={draft[name]}
      onChange={(value) => onChange(name, value)}
    />
  );
  return (
    <>
      {field('organization', 'organization')}
      <FieldRow>
        {field('firstName', 'given-name')}
        {field('lastName', 'family-name')}
      </FieldRow>
      <TextArea
        label={t('fields.address')}
        name="address"
        rows={2}
        value={draft.address}
        onChange={(value) => onChange('address', value)}
      />
      <FieldRow>
        {field('zipCode', 'postal-code')}
        {field('city', 'address-level2')}
      </FieldRow>
      <FieldRow>
        {field('province', 'address-level1')}
        <Select
          label={t('fields.country')}
          name="country"
          options={countryOptions(language, draft.country)}
          value={draft.country === '' ? undefined : draft.country}
          placeholder={t('choose')}
          onChange={(value) => onChange('country', value)}
        />
      </FieldRow>
      <FieldRow>
        {field('phoneNumber', 'tel')}
        {field('taxId', 'off')}
      </FieldRow>
    </>
  );
}

function useSave(setDraft: (draft: Draft) => void) {
  const t = useBillingText();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useSubmit((draft: Draft) => paydesk().billingInformation.update(draft), {
    onDone: (saved: BillingInformation) => {
      queryClient.setQueryData(['billing-information'], saved);
      setDraft(draftOf(saved));
      void queryClient.invalidateQueries({ queryKey: ['billing-settings'] });
      void queryClient.invalidateQueries({ queryKey: ['overview'] });
      toast.add({ title: t('saved') });
    },
  });
}
