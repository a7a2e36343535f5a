import type { Permissions } from '@paydesk/client';

/** What can be permitted, as the API names it, in the order of a person's interest. */
export const ENTRIES = {
  platform: ['billing', 'admins', 'roles', 'applications'],
  application: ['tickets', 'customers', 'agents', 'live_map', 'labels', 'settings'],
} as const;

export type Entry = {
  [Part in keyof typeof ENTRIES]: `${Part}.${(typeof ENTRIES)[Part][number]}`;
}[keyof typeof ENTRIES];

/** To read and to change. The API grants `view` with each `all`. */
export const FLAGS = ['view', 'all'] as const;
export type Flag = (typeof FLAGS)[number];

/** A box of the grid, such as `platform.billing.view`. */
export type Cell = `${Entry}.${Flag}`;

export const ALL_ENTRIES = [
  ...ENTRIES.platform.map((name): Entry => `platform.${name}`),
  ...ENTRIES.application.map((name): Entry => `application.${name}`),
];

/** Returns what is granted. */
export function cellsOf(permissions: Permissions): Set<Cell> {
  const parts: Record<string, Record<string, Record<Flag, boolean> | null>> = permissions;
  const isGranted = (cell: Cell) => {
    const [part = '', name = '', flag] = cell.split('.');
    return parts[part]?.[name]?.[flag as Flag] === true;
  };
  return new Set(ALL_ENTRIES.flatMap((entry) => FLAGS.map((flag): Cell => `${entry}.${flag}`)).filter(isGranted));
}

/** Returns permissions with every entry, as the API wants them. */
export function permissionsOf(cells: ReadonlySet<Cell>): Permissions {
  const part = <Part extends keyof typeof ENTRIES>(name: Part) =>
    Object.fromEntries(
      ENTRIES[name].map((entry) => [
        entry,
        { view: cells.has(`${name}.${entry}.view` as Cell), all: cells.has(`${name}.${entry}.all` as Cell) },
      ]),
    );
  return { platform: part('platform'), application: { applications: null, ...part('application') } } as Permissions;
}

/** Ticks or clears boxes of one column. To change something is to read it, too. */
export function toggle(cells: ReadonlySet<Cell>, changed: readonly Cell[], isTicked: boolean): Set<Cell> {
  const next = new Set(cells);
  for (const cell of changed) {
    const other = isTicked ? cell.replace(/all$/, 'view') : cell.replace(/view$/, 'all');
    for (const one of [cell, other as Cell]) isTicked ? next.add(one) : next.delete(one);
  }
  return next;
}
