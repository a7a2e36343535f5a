/** The roles of the operator's people. Each may do what the one before it may. */
export const OPERATOR_ROLES = ['viewer', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What only admins read: keys, staff, and mails, whose links may open accounts. */
const READ_BY_ADMINS: ReadonlySet<string> = new Set(['keys', 'staff', 'sign-in-providers', 'mails']);

/** What `finance` writes: what moves money and documents. */
const WRITTEN_BY_FINANCE: ReadonlySet<string> = new Set([
  ...['invoices', 'credit-notes', 'credits', 'payments', 'refunds', 'disputes', 'prices', 'usage', 'usage-thresholds'],
  ...['billing-settings', 'billing-runs', 'billing-previews', 'seller', 'alerts', 'jobs'],
]);

/** The role that a route of the operator needs. What the operator has of a company is the same as without it. */
export function operatorRoleFor({ method, url }: { method: string; url: string }): OperatorRole {
  const [, resource = ''] = /^\/operator\/(?:companies\/:\w+\/)?([\w-]+)/.exec(url) ?? [];
  if (method === 'GET') return READ_BY_ADMINS.has(resource) ? 'admin' : 'viewer';
  // The only deletion of usage: that of what waits for a company.
  if (method === 'DELETE' && resource === 'usage') return 'admin';
  return WRITTEN_BY_FINANCE.has(resource) ? 'finance' : 'admin';
}

/** Whether a role may do what needs another one. */
export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}
