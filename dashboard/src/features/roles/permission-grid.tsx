import type { Permissions } from '@paydesk/client';
import { useSession } from '../../api/session.ts';
import { CheckGrid } from '../../ui/check-grid/check-grid.tsx';
import { ALL_ENTRIES, type Cell, cellsOf, ENTRIES, FLAGS, permissionsOf, toggle } from './permissions.ts';
import { useRolesText } from './text.ts';

/** What somebody or something may do; without `onChange` to be read. Nobody gives away what they lack themselves. */
export function PermissionGrid({
  value,
  onChange,
}: {
  value: Permissions;
  onChange?: (permissions: Permissions) => void;
}) {
  const t = useRolesText();
  const held = useSession()?.permissions;
  const allowed = onChange === undefined || held == null ? new Set<Cell>() : cellsOf(held);
  const cells = cellsOf(value);
  const lacksSome = onChange !== undefined && allowed.size < ALL_ENTRIES.length * FLAGS.length;
  const groups = (['platform', 'application'] as const).map((part) => ({
    label: t(`parts.${part}`),
    rows: ENTRIES[part].map((name) => ({
      id: `${part}.${name}`,
      label: t(`entries.${part}.${name}` as 'entries.platform.billing'),
    })),
  }));
  return (
    <CheckGrid
      legend={t('permissions')}
      allLabel={t('everything')}
      columns={FLAGS.map((flag) => ({ id: flag, label: t(`flags.${flag}`) }))}
      groups={groups}
      checked={cells}
      allowed={allowed}
      description={lacksSome ? t('lacksSome') : undefined}
      onChange={(changed, isTicked) => onChange?.(permissionsOf(toggle(cells, changed as Cell[], isTicked)))}
    />
  );
}
