/** The permission vocabulary, and what the system's roles grant. */

export type Flags = { all: boolean; view: boolean };

const PLATFORM_ENTRIES = ['applications', 'admins', 'roles', 'billing'] as const;
const APPLICATION_ENTRIES = ['tickets', 'agents', 'customers', 'live_map', 'labels', 'settings'] as const;

type PlatformEntry = (typeof PLATFORM_ENTRIES)[number];
type ApplicationEntry = (typeof APPLICATION_ENTRIES)[number];

export type PermissionSet = {
  platform: Record<PlatformEntry, Flags>;
  /** `applications` is null in every answer: clients rely on it. */
  application: { applications: null } & Record<ApplicationEntry, Flags>;
};

/** `platform.billing`. */
export type Entry = `platform.${PlatformEntry}` | `application.${ApplicationEntry}`;

/** Every entry that has flags. */
export const ENTRIES: readonly Entry[] = [
  ...PLATFORM_ENTRIES.map((entry) => `platform.${entry}` as const),
  ...APPLICATION_ENTRIES.map((entry) => `application.${entry}` as const),
];

/** `platform.billing.view` reads, `platform.billing.all` writes; likewise for the other entries. */
export type Permission = `${Entry}.${keyof Flags}`;

/** A role of the system, or of one company. */
export type Role = {
  id: string;
  name: string;
  description: string;
  category: 'SYSTEM ROLE' | 'CUSTOM ROLE';
  permission: PermissionSet;
};

export type SystemRoleName = 'Admin' | 'Billing manager' | 'Support agent' | 'Viewer' | 'Customer';

const [NONE, VIEW, ALL] = [
  { all: false, view: false },
  { all: false, view: true },
  { all: true, view: true },
];

const SUPPORTED: Partial<Record<Entry, Flags>> = {
  'application.tickets': ALL,
  'application.customers': ALL,
  'application.live_map': ALL,
  'application.labels': ALL,
  'application.agents': VIEW,
  'application.settings': VIEW,
};

/** The roles that every company has. Their ids are the same everywhere, and older than those of all other roles. */
export const SYSTEM_ROLES: Readonly<Record<SystemRoleName, Role>> = {
  Admin: systemRole('Admin', 'Manages everything in the company.', 5, () => ALL),
  'Billing manager': systemRole(
    'Billing manager',
    'Manages invoices, payment methods and billing information.',
    4,
    (entry) => (entry === 'platform.billing' ? ALL : NONE),
  ),
  'Support agent': systemRole(
    'Support agent',
    'Manages tickets, customers, the live map and labels.',
    3,
    (entry) => SUPPORTED[entry] ?? NONE,
  ),
  Viewer: systemRole('Viewer', 'Reads everything in the company and changes nothing.', 2, () => VIEW),
  Customer: systemRole('Customer', 'Uses the mobile application and manages nothing.', 1, () => NONE),
};

/** The role of the operator's people, who belong to no company. */
export const STAFF_ROLE: Role = systemRole('Staff', 'Works for the operator.', 6, () => NONE);

function systemRole(
  name: SystemRoleName | 'Staff',
  description: string,
  number: number,
  grant: (entry: Entry) => Flags,
): Role {
  const id = `01900000-0000-7000-8000-00000000000${number}`;
  return { id, name, description, category: 'SYSTEM ROLE', permission: grantEach(grant) };
}

function grantEach(grant: (entry: Entry) => Flags): PermissionSet {
  const [platform, application] = [
    PLATFORM_ENTRIES.map((entry) => [entry, { ...grant(`platform.${entry}`) }]),
    APPLICATION_ENTRIES.map((entry) => [entry, { ...grant(`application.${entry}`) }]),
  ];
  return {
    platform: Object.fromEntries(platform),
    application: { applications: null, ...Object.fromEntries(application) },
  } as PermissionSet;
}

/** Everything of these entries, and nothing else. */
export function permissionsOf(...entries: readonly Entry[]): PermissionSet {
  return grantEach((entry) => (entries.includes(entry) ? ALL : NONE));
}

/** The flags of an entry. */
export function flagsOf({ platform, application }: PermissionSet, entry: Entry): Flags {
  const [group, name] = entry.split('.') as ['platform', PlatformEntry] | ['application', ApplicationEntry];
  return group === 'platform' ? platform[name] : application[name];
}

/** The entries and flags that there are, without whatever else a client has sent. */
export function pickPermissions(given: PermissionSet): PermissionSet {
  return grantEach((entry) => {
    const { all, view } = flagsOf(given, entry);
    return { all, view };
  });
}

/** Whether the holder has every permission of a set. */
export function isPartOf(set: PermissionSet, holder: PermissionSet): boolean {
  return ENTRIES.every((entry) => {
    const { all, view } = flagsOf(set, entry);
    return (!all || grants(holder, `${entry}.all`)) && (!view || grants(holder, `${entry}.view`));
  });
}

/** What both sets grant. */
export function commonPermissions(one: PermissionSet, other: PermissionSet): PermissionSet {
  return grantEach((entry) => ({
    all: grants(one, `${entry}.all`) && grants(other, `${entry}.all`),
    view: grants(one, `${entry}.view`) && grants(other, `${entry}.view`),
  }));
}

/** Whether a permission set holds a permission. `all` includes `view`. */
export function grants(permissions: PermissionSet, permission: Permission): boolean {
  const [group, entry, flag] = permission.split('.') as [keyof PermissionSet, string, keyof Flags];
  const flags = (permissions[group] as Record<string, Flags | null>)[entry];
  return flags != null && (flags[flag] || flags.all);
}
