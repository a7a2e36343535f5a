import type { Member } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { Suspense, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useHistoryItem } from '../audit-log/history.tsx';
import { RoleSelect } from './role-select.tsx';
import { useTeamText } from './text.ts';

type Open = 'role' | 'remove' | null;

/** What can be done with a member. */
export function MemberMenu({ member }: { member: Member }) {
  const t = useTeamText();
  const toast = useToast();
  const [open, setOpen] = useState<Open>(null);
  const history = useHistoryItem({ ids: [member.id], name: member.email });
  const ending = useSubmit((_: undefined, options) => paydesk().company.members.revokeSessions(member.id, options), {
    onDone: () => void toast.add({ title: t('ended') }),
    onFailure: ({ message }) => void toast.add({ title: message ?? '', tone: 'danger' }),
  });
  return (
    <>
      <Menu
        trigger={<IconButton label={`${t('actions')}: ${member.email}`} icon={<Ellipsis aria-hidden="true" />} />}
        items={[
          { label: t('changeRole'), onSelect: () => setOpen('role') },
          { label: t('endSessions'), onSelect: () => void ending.submit(undefined) },
          ...history.items,
          'separator',
          { label: t('remove'), tone: 'danger', onSelect: () => setOpen('remove') },
        ]}
      />
      {history.panel}
      <RemoveMember member={member} open={open === 'remove'} onClose={() => setOpen(null)} />
      {open === 'role' ? (
        <Suspense fallback={null}>
          <ChangeRole member={member} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTeamText();
  const [roleId, setRoleId] = useState(member.role.id);
  const act = useMemberAction(
    (options) => paydesk().company.members.update(member.id, { role_id: roleId }, options),
    t('roleChanged'),
    onClose,
  );
  return (
    <ConfirmDialog {...act.dialog} open onClose={onClose} title={t('changeRole')} confirmLabel={t('changeRole')}>
      <p>{member.email}</p>
      <RoleSelect value={roleId} onChange={setRoleId} />
    </ConfirmDialog>
  );
}

function RemoveMember({ member, open, onClose }: { member: Member; open: boolean; onClose: () => void }) {
  const t = useTeamText();
  const { id, email, first_name: first, last_name: last } = member;
  const act = useMemberAction((options) => paydesk().company.members.delete(id, options), t('removed'), onClose);
  return (
    <ConfirmDialog
      {...act.dialog}
      open={open}
      onClose={onClose}
      title={t('remove')}
      confirmLabel={t('remove')}
      tone="danger"
      typeToConfirm={{ label: t('typeEmail'), text: email }}
    >
      <p>{t('removeText', { name: `${first} ${last}` })}</p>
      <p>
        <strong>{email}</strong>
      </p>
    </ConfirmDialog>
  );
}

/** What the dialogs of a member share. */
function useMemberAction(
  action: (options: { idempotencyKey: string }) => Promise<unknown>,
  done: string,
  onClose: () => void,
) {
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending, message, errors } = useSubmit((_: undefined, options) => action(options), {
    onDone: () => {
      onClose();
      toast.add({ title: done });
      void queries.invalidateQueries({ queryKey: ['members'] });
    },
  });
  const dialog = {
    pending: isPending,
    error: message ?? Object.values(errors)[0],
    cancelLabel: forms('cancel'),
    closeLabel: forms('close'),
    onConfirm: () => void submit(undefined),
  };
  return { dialog };
}
