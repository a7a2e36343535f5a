import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { RoleSelect } from './role-select.tsx';
import { useTeamText } from './text.ts';

/** Invites somebody to the company. */
export function InviteColleague() {
  const t = useTeamText();
  const forms = useFormsText();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        {t('invite')}
      </Button>
      {isOpen ? (
        <Dialog open onClose={close} title={t('inviteTitle')} closeLabel={forms('close')}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <InviteForm onDone={close} />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const t = useTeamText();
  const words = useListsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [roleId, setRoleId] = useState('');
  const { submit, isPending, errors, message } = useSubmit(
    (email: string, options) => paydesk().company.invitations.create({ email, role_id: roleId }, options),
    {
      onDone: () => {
        toast.add({ title: t('invited') });
        void queries.invalidateQueries({ queryKey: ['invitations'] });
        onDone();
      },
    },
  );
  return (
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
      <RoleSelect value={roleId} onChange={setRoleId} />
    </Form>
  );
}
