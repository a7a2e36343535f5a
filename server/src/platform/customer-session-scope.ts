/** What of `/payments` customer sessions may use, with all that is below it. */
const OPEN: ReadonlySet<string> = new Set([
  ...['cards', 'card-setups', 'paypal-accounts', 'addresses', 'billing-information', 'orders', 'credit-notes'],
  ...['usage', 'upcoming-invoice'],
]);

/** What of it they may only read. */
const READ: ReadonlySet<string> = new Set(['billing-settings', 'mail-settings', 'usage-thresholds', 'overview']);

/**
 * Whether a customer session may call a route, as far as it has the permission. What is not named here is closed: accounts, members, roles,
 * keys, webhooks, settings, the labels of records, and what is the operator's.
 */
export function isOpenToCustomerSessions({ method, url }: { method: string; url: string }): boolean {
  if (url === '/company') return method === 'GET';
  if (/^\/labels(\/:label_id)?$/.test(url)) return true;
  const [, resource = ''] = /^\/payments\/([\w-]+)(?:\/|$)/.exec(url) ?? [];
  return OPEN.has(resource) || (method === 'GET' && READ.has(resource));
}
