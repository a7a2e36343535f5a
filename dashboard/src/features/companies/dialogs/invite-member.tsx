import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk, useSession } from '../../../api/session.ts';
import { useFormsText } from '../../../forms/text.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import { useListsText } from '../../../lists/text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { useCompaniesText } from '../text.ts';

/** Invites an administrator to a company, who invites everybody else. */
export function InviteMember({ companyId }: { companyId: string }) {
  const t = useCompaniesText();
  const [isOpen, setIsOpen] = useState(false);
  if (useSession()?.operatorRole !== 'admin') return null;
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t('invite')}
      </Button>
      {isOpen ? <InviteDialog companyId={companyId} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function InviteDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const t = useCompaniesText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    (email: string, options) => paydesk().operator.companies.invitations.create(companyId, { email }, options),
    {
      onDone: ({ email }) => {
        toast.add({ title: t('invited', { email }) });
        void queries.invalidateQueries({ queryKey: ['companies', companyId] });
        onClose();
      },
      texts: { already_invited: t('alreadyInvited'), already_member: t('alreadyMember') },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('invite')} description={t('inviteText')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ email }) => void submit(String(email))}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('invite')}
          </Button>
        }
      >
        <TextField label={words('words.email')} name="email" type="email" required autoComplete="off" />
      </Form>
    </Dialog>
  );
}
