/** The permission vocabulary, and which role grants what. */

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

/** `platform.billing.view` reads, `platform.billing.all` writes; likewise for the other entries. */
export type Permission = `platform.${PlatformEntry}.${keyof Flags}` | `application.${ApplicationEntry}.${keyof Flags}`;

export type RoleName = 'Admin' | 'Customer';

export type Role = { name: RoleName; description: string; category: 'SYSTEM ROLE'; permission: PermissionSet };

function everyFlag(value: boolean): PermissionSet {
  const flags = (entries: readonly string[]) => entries.map((entry) => [entry, { all: value, view: value }]);
  return {
    platform: Object.fromEntries(flags(PLATFORM_ENTRIES)),
    application: { applications: null, ...Object.fromEntries(flags(APPLICATION_ENTRIES)) },
  } as PermissionSet;
}

export const ROLES: Record<RoleName, Role> = {
  Admin: {
    name: 'Admin',
    description: 'Manages everything in the company.',
    category: 'SYSTEM ROLE',
    permission: everyFlag(true),
  },
  Customer: {
    name: 'Customer',
    description: 'Uses the mobile application; manages nothing.',
    category: 'SYSTEM ROLE',
    permission: everyFlag(false),
  },
};

/** Whether a permission set holds a permission. `all` includes `view`. */
export function grants(permissions: PermissionSet, permission: Permission): boolean {
  const [group, entry, flag] = permission.split('.') as [keyof PermissionSet, string, keyof Flags];
  const flags = (permissions[group] as Record<string, Flags | null>)[entry];
  return flags != null && (flags[flag] || flags.all);
}
