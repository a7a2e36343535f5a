import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCompanyText } from './text.ts';

/** Grants credit to a company. */
export function GrantCredit({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t('grant')}
      </Button>
      {isOpen ? <GrantDialog companyId={companyId} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function GrantDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const t = useCompanyText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    (body: { amount: string; currency: string; reason: string }, options) =>
      paydesk().operator.companies.credits.grant(companyId, body, options),
    {
      onDone: () => {
        toast.add({ title: t('granted') });
        void queries.invalidateQueries({ queryKey: ['companies', companyId] });
        onClose();
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('grant')} description={t('grantText')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ amount, currency, reason }) =>
          void submit({ amount: String(amount), currency: String(currency).toUpperCase(), reason: String(reason) })
        }
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('grant')}
          </Button>
        }
      >
        <FieldRow>
          <TextField label={words('words.amount')} name="amount" required inputMode="decimal" autoComplete="off" />
          <TextField label={words('words.currency')} name="currency" required defaultValue="USD" autoComplete="off" />
        </FieldRow>
        <TextField label={words('words.reason')} name="reason" required autoComplete="off" />
      </Form>
    </Dialog>
  );
}
