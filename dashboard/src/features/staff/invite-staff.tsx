import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useStaffText } from './text.ts';

const ROLES = ['viewer', 'finance', 'admin'] as const;

/** Invites somebody to the console. */
export function InviteStaff() {
  const t = useStaffText();
  const reason = useLacksRole('admin');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t('invite')}
      </Button>
      {isOpen ? <InviteDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useStaffText();
  const words = useListsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [role, setRole] = useState<(typeof ROLES)[number]>('viewer');
  const { submit, isPending, errors, message } = useSubmit(
    (email: string, options) => paydesk().operator.staff.invite({ email, role }, options),
    {
      onDone: () => {
        toast.add({ title: t('invited') });
        void queries.invalidateQueries({ queryKey: ['staff'] });
        onClose();
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('inviteTitle')} closeLabel={forms('close')}>
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
        <Select
          label={words('words.role')}
          name="role"
          value={role}
          onChange={(value) => setRole(value as typeof role)}
          options={ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))}
        />
      </Form>
    </Dialog>
  );
}
