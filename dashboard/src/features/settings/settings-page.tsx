import type { OwnCompanyBody } from '@paydesk/client';
import { useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useSettingsText } from './text.ts';

type Input = { company: OwnCompanyBody; requireSecondFactor: boolean };

/** What a company is called, and what it demands of its members. */
export function SettingsPage() {
  const t = useSettingsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const mayChange = useMay()('platform.admins.all');
  const [{ data: company }, { data: settings }] = useSuspenseQueries({
    queries: [
      { queryKey: ['company'], queryFn: ({ signal }: { signal: AbortSignal }) => paydesk().company.get({ signal }) },
      {
        queryKey: ['company-settings'],
        queryFn: ({ signal }: { signal: AbortSignal }) => paydesk().company.settings.get({ signal }),
      },
    ],
  });
  const [requireSecondFactor, setRequireSecondFactor] = useState(settings.require_second_factor);
  const { submit, isPending, errors, message } = useSubmit(
    async ({ company: changed, requireSecondFactor: isRequired }: Input) => {
      queries.setQueryData(['company'], await paydesk().company.update(changed));
      if (isRequired === settings.require_second_factor) return;
      queries.setQueryData(
        ['company-settings'],
        await paydesk().company.settings.update({ require_second_factor: isRequired }),
      );
    },
    { onDone: () => void toast.add({ title: t('saved') }) },
  );
  return (
    <Page title={t('title')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit({ company: toBody(fields), requireSecondFactor })}
        actions={
          <Button
            type="submit"
            variant="primary"
            pending={isPending}
            disabledReason={mayChange ? undefined : t('readOnly')}
          >
            {forms('save')}
          </Button>
        }
      >
        <FormSection title={t('company')} description={t('companyText')}>
          <TextField label={t('name')} name="name" defaultValue={company.name} autoComplete="organization" />
          <TextField label={t('email')} name="email" type="email" defaultValue={company.email} autoComplete="off" />
          <TextField label={t('phone')} name="phone" defaultValue={company.phone} autoComplete="off" />
          <TextArea label={t('address')} name="address" defaultValue={company.address} />
          <TextArea label={t('describe')} name="describe" defaultValue={company.describe} />
        </FormSection>
        <FormSection title={t('signIn')} description={t('signInText')}>
          <Switch
            label={t('secondFactor')}
            description={t('secondFactorText')}
            checked={requireSecondFactor}
            onChange={setRequireSecondFactor}
            disabled={!mayChange}
          />
        </FormSection>
      </Form>
    </Page>
  );
}

function toBody(fields: Record<string, FormDataEntryValue>): OwnCompanyBody {
  const text = (name: string) => String(fields[name] ?? '').trim();
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    address: text('address'),
    describe: text('describe'),
  };
}
