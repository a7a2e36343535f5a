import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk, useSession } from '../../../api/session.ts';
import { useFormsText } from '../../../forms/text.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import { useListsText } from '../../../lists/text.ts';
import { Button, type ButtonLook } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { useCompaniesText } from '../text.ts';

/** Creates a company that needs nobody to sign up. */
export function CreateCompany({ look = { variant: 'primary' } }: { look?: ButtonLook }) {
  const t = useCompaniesText();
  const isAllowed = useSession()?.operatorRole === 'admin';
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...look} disabledReason={isAllowed ? undefined : t('adminsOnly')} onClick={() => setIsOpen(true)}>
        {t('create')}
      </Button>
      {isOpen ? <CreateDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useCompaniesText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Record<string, FormDataEntryValue>, options) => create(fields, options),
    {
      onDone: ({ name }) => {
        toast.add({ title: t('created', { name }) });
        for (const key of ['companies', 'operator-overview']) void queries.invalidateQueries({ queryKey: [key] });
        onClose();
      },
      texts: { external_id_taken: t('externalIdTaken') },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('create')} description={t('createText')} closeLabel={forms('close')}>
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
        <TextField label={words('words.name')} name="name" required autoComplete="off" />
        <TextField
          label={words('words.email')}
          name="email"
          type="email"
          description={t('emailText')}
          autoComplete="off"
        />
        <TextField
          label={words('words.externalId')}
          name="externalId"
          description={t('externalIdText')}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}

function create(fields: Record<string, FormDataEntryValue>, options: { idempotencyKey: string }) {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const name = text('name');
  // The name is also the buyer's on its invoices, until somebody says otherwise.
  const body = { name, email: text('email'), billingInformation: { organization: name } };
  const externalId = text('externalId');
  return paydesk().operator.companies.create(externalId === '' ? body : { ...body, externalId }, options);
}
