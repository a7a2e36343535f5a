import type { CreateRoleBody, Permissions, Role } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SidePanel } from '../../ui/side-panel/side-panel.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { PermissionGrid } from './permission-grid.tsx';
import { permissionsOf } from './permissions.ts';
import { useRolesText } from './text.ts';

/** What a role may do, to be read. */
export function RoleFacts({ role: { name, description, permission }, onClose }: { role: Role; onClose: () => void }) {
  const forms = useFormsText();
  return (
    <SidePanel open onClose={onClose} title={name} description={description} closeLabel={forms('close')}>
      <PermissionGrid value={permission} />
    </SidePanel>
  );
}

/** Creates a role, or changes the one that is given. */
export function RolePanel({ role, onClose }: { role?: Role; onClose: () => void }) {
  const t = useRolesText();
  const forms = useFormsText();
  const words = useListsText();
  const [permission, setPermission] = useState<Permissions>(role?.permission ?? permissionsOf(new Set()));
  const { submit, isPending, errors, message } = useSave(role, onClose);
  return (
    <SidePanel open onClose={onClose} title={role === undefined ? t('create') : t('edit')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ name, description }) =>
          void submit({ name: String(name), description: String(description), permission })
        }
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {role === undefined ? t('create') : forms('save')}
          </Button>
        }
      >
        <TextField
          label={words('words.name')}
          name="name"
          defaultValue={role?.name}
          maxLength={255}
          required
          autoComplete="off"
        />
        <TextField
          label={t('about')}
          name="description"
          defaultValue={role?.description}
          maxLength={255}
          autoComplete="off"
        />
        <PermissionGrid value={permission} onChange={setPermission} />
      </Form>
    </SidePanel>
  );
}

function useSave(role: Role | undefined, onClose: () => void) {
  const t = useRolesText();
  const toast = useToast();
  const queries = useQueryClient();
  return useSubmit(
    (body: CreateRoleBody, options) =>
      role === undefined
        ? paydesk().company.roles.create(body, options)
        : paydesk().company.roles.update(role.id, body, options),
    {
      onDone: () => {
        toast.add({ title: role === undefined ? t('created') : t('saved') });
        void queries.invalidateQueries({ queryKey: ['roles'] });
        onClose();
      },
    },
  );
}
