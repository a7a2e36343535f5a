/** The roles of the operator's people. Each may do what the one before it may. */
export const STAFF_ROLES = ['viewer', 'finance', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The roles of operator keys: `integration` is for the backend of the operator's product, and for no person. */
export const OPERATOR_ROLES = [...STAFF_ROLES, 'integration'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

const [VIEWER, FINANCE, ADMIN] = STAFF_ROLES;

/**
 * The roles that read and write each resource: the first segment of a path below `/operator`, or below that of a company. Finance writes
 * what moves money and documents. Only admins read keys, staff, and, of mails, those about accounts, whose links may open them. A resource
 * that is not here is the admins' alone; a test demands that each is.
 */
export const ROLES_OF_RESOURCES: Readonly<Record<string, { reads: StaffRole; writes: StaffRole }>> = {
  ...rolesOf(['invoices', 'credit-notes', 'credits', 'payments', 'refunds', 'disputes', 'prices'], VIEWER, FINANCE),
  ...rolesOf(['usage', 'usage-thresholds', 'billing-settings', 'billing-runs', 'billing-previews'], VIEWER, FINANCE),
  ...rolesOf(['seller', 'alerts', 'jobs', 'views', 'mails', 'mail-settings'], VIEWER, FINANCE),
  ...rolesOf(['companies', 'billing-information', 'invitations', 'sessions', 'items', 'integration'], VIEWER, ADMIN),
  ...rolesOf(['members', 'api-keys', 'addresses', 'cards', 'paypal-accounts'], VIEWER, ADMIN),
  ...rolesOf(['numbering', 'lost-numbers', 'recovery', 'reconciliation', 'webhook-endpoints'], VIEWER, ADMIN),
  ...rolesOf(['overview', 'upcoming-invoice', 'ledger', 'audit-log', 'events'], VIEWER, ADMIN),
  ...rolesOf(['keys', 'staff', 'sign-in-providers'], ADMIN, ADMIN),
};

function rolesOf(resources: readonly string[], reads: StaffRole, writes: StaffRole) {
  return Object.fromEntries(resources.map((resource) => [resource, { reads, writes }]));
}

/** All that `integration` may call: companies and what the product sets of them, usage, and to read prices and invoices. */
const OPEN_TO_INTEGRATIONS: readonly RegExp[] = [
  /^(GET|POST) \/operator\/companies$/,
  /^(GET|PUT) \/operator\/companies\/:company_id$/,
  /^\w+ \/operator\/companies\/:company_id\/(billing-information|billing-settings|usage-thresholds|upcoming-invoice)(\/|$)/,
  /^\w+ \/operator\/companies\/:company_id\/(invitations|sessions)(\/|$)/,
  /^\w+ \/operator\/usage(\/unattributed)?$/,
  /^GET \/operator\/(prices|invoices)(\/:\w+)?$/,
];

type Route = { method: string; url: string };

/** What a route of the operator is about. What the operator has of a company is the same as without it. */
export function resourceOf(url: string): string {
  const [, resource = ''] = /^\/operator\/(?:companies\/:\w+\/)?([\w-]+)/.exec(url) ?? [];
  return resource;
}

/** The role of the staff that a route of the operator needs. */
export function staffRoleFor({ method, url }: Route): StaffRole {
  const resource = resourceOf(url);
  // The only deletion of usage: that of what waits for a company.
  if (method === 'DELETE' && resource === 'usage') return ADMIN;
  const { reads, writes } = ROLES_OF_RESOURCES[resource] ?? { reads: ADMIN, writes: ADMIN };
  return method === 'GET' ? reads : writes;
}

/** Whether keys with the role `integration` may call a route of the operator. */
export function isOpenToIntegrations({ method, url }: Route): boolean {
  return OPEN_TO_INTEGRATIONS.some((pattern) => pattern.test(`${method} ${url}`));
}

/** Whether a role may call a route of the operator. */
export function mayCallAsOperator(role: OperatorRole, route: Route): boolean {
  if (role === 'integration') return isOpenToIntegrations(route);
  return STAFF_ROLES.indexOf(role) >= STAFF_ROLES.indexOf(staffRoleFor(route));
}
