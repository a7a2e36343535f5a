/** The roles of the operator's people. Each may do what the one before it may. */
export const STAFF_ROLES = ['viewer', 'finance', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The roles of operator keys: `integration` is for the backend of the operator's product, and for no person. */
export const OPERATOR_ROLES = [...STAFF_ROLES, 'integration'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What only admins read: keys, staff, and mails, whose links may open accounts. */
const READ_BY_ADMINS: ReadonlySet<string> = new Set(['keys', 'staff', 'sign-in-providers', 'mails']);

/** What `finance` writes: what moves money and documents. */
const WRITTEN_BY_FINANCE: ReadonlySet<string> = new Set([
  ...['invoices', 'credit-notes', 'credits', 'payments', 'refunds', 'disputes', 'prices', 'usage', 'usage-thresholds'],
  ...['billing-settings', 'billing-runs', 'billing-previews', 'seller', 'alerts', 'jobs', 'views'],
]);

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

/** The role of the staff that a route of the operator needs. What the operator has of a company is the same as without it. */
export function staffRoleFor({ method, url }: Route): StaffRole {
  const [, resource = ''] = /^\/operator\/(?:companies\/:\w+\/)?([\w-]+)/.exec(url) ?? [];
  if (method === 'GET') return READ_BY_ADMINS.has(resource) ? 'admin' : 'viewer';
  // The only deletion of usage: that of what waits for a company.
  if (method === 'DELETE' && resource === 'usage') return 'admin';
  return WRITTEN_BY_FINANCE.has(resource) ? 'finance' : 'admin';
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
