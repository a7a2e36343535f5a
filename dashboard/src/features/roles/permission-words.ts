import type { Permissions } from '@paydesk/client';
import { ALL_ENTRIES, type Cell, cellsOf, type Entry, type Flag } from './permissions.ts';
import { useRolesText } from './text.ts';

/** Returns what tells permissions in words: `Change: Billing · View: Tickets, Labels`. */
export function usePermissionWords(): (permissions: Permissions) => string {
  const t = useRolesText();
  const namesOf = (entries: readonly Entry[]) =>
    entries.length === ALL_ENTRIES.length
      ? t('everything')
      : entries.map((entry) => t(`entries.${entry}` as 'entries.platform.billing')).join(', ');
  return (permissions) => {
    const cells = cellsOf(permissions);
    const holders = (flag: Flag) => ALL_ENTRIES.filter((entry) => cells.has(`${entry}.${flag}` satisfies Cell));
    const changed = holders('all');
    const viewed = holders('view');
    const parts = [
      ...(changed.length === 0 ? [] : [t('summary.all', { entries: namesOf(changed) })]),
      ...(viewed.length === changed.length
        ? []
        : [
            t('summary.view', {
              entries: namesOf(changed.length === 0 ? viewed : viewed.filter((e) => !changed.includes(e))),
            }),
          ]),
    ];
    return parts.join(' · ') || t('nothing');
  };
}
