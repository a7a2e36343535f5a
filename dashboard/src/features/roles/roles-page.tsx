import type { Role } from '@paydesk/client';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk, useSession } from '../../api/session.ts';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { RowActions } from '../../ui/table/table.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { usePermissionWords } from './permission-words.ts';
import { cellsOf } from './permissions.ts';
import { RoleFacts, RolePanel } from './role-panel.tsx';
import { useRolesText } from './text.ts';

/** What the members of a company may be. */
export function RolesPage() {
  const t = useRolesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      actions={<CreateRole />}
      name="roles"
      caption={t('title')}
      columns={useColumns()}
      queryKey={['roles']}
      read={(search, options) => paydesk().company.roles.list({ per_page: 25, ...search }, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function CreateRole() {
  const t = useRolesText();
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={may('platform.roles.all') ? undefined : t('mayNot')}
        onClick={() => setIsOpen(true)}
      >
        {t('create')}
      </Button>
      {isOpen ? <RolePanel onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function useColumns(): Column<Role>[] {
  const t = useRolesText();
  const words = useListsText();
  const inWords = usePermissionWords();
  return [
    { id: 'name', header: words('words.name'), cell: ({ name }) => name },
    {
      id: 'kind',
      header: t('kind'),
      cell: (role) => (
        <Badge tone={isOfSystem(role) ? 'neutral' : 'info'}>{t(isOfSystem(role) ? 'kinds.system' : 'kinds.own')}</Badge>
      ),
    },
    { id: 'about', header: t('about'), cell: (role) => <About role={role} /> },
    { id: 'permissions', header: t('permissions'), cell: ({ permission }) => inWords(permission) },
    { id: 'actions', header: '', cell: (role) => <RoleActions role={role} />, isActive: true },
  ];
}

function isOfSystem({ category }: Role): boolean {
  return category === 'SYSTEM ROLE';
}

/** The API describes the roles of the system in English. */
function About({ role: { name, description, category } }: { role: Role }) {
  const t = useRolesText();
  const key = `system.${name}` as 'system.Viewer';
  return <>{category === 'SYSTEM ROLE' && t.has(key) ? t(key) : description}</>;
}

/** Shows a role, and changes or deletes one of the company's own. */
function RoleActions({ role }: { role: Role }) {
  const t = useRolesText();
  const may = useMay();
  const session = useSession();
  const [open, setOpen] = useState<'show' | 'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const held = session?.permissions == null ? new Set() : cellsOf(session.permissions);
  const reason = [...cellsOf(role.permission)].every((cell) => held.has(cell)) ? undefined : t('beyond');
  const button = (action: 'show' | 'edit' | 'delete', disabledReason?: string) => (
    <Button
      size="small"
      variant="quiet"
      disabledReason={disabledReason}
      onClick={() => setOpen(action)}
      aria-label={`${t(action)}: ${role.name}`}
    >
      {t(action)}
    </Button>
  );
  return (
    <>
      {isOfSystem(role) || !may('platform.roles.all') ? (
        button('show')
      ) : (
        <RowActions>
          <RowHistory ids={[role.id]} name={role.name} />
          {button('edit', reason)}
          {button('delete', reason)}
        </RowActions>
      )}
      {open === 'show' ? <RoleFacts role={role} onClose={close} /> : null}
      {open === 'edit' ? <RolePanel role={role} onClose={close} /> : null}
      <DeleteDialog
        open={open === 'delete'}
        onClose={close}
        title={t('delete')}
        typeToConfirm={{ label: t('typeName'), text: role.name.trim() }}
        remove={(options) => paydesk().company.roles.delete(role.id, options)}
        queryKey={['roles']}
      >
        <p>
          <strong>{role.name}</strong>. {t('deleteText')}
        </p>
      </DeleteDialog>
    </>
  );
}
