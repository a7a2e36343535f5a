/** The domains of server/src. Each imports only domains before it. */
export const DOMAIN_ORDER: readonly string[] = [
  'platform',
  'continuity',
  'outbox',
  'audit',
  'alerts',
  'seller',
  'mail',
  'customers',
  'labels',
  'gateways',
  'methods',
  'identity',
  'metering',
  'billing',
  'payments',
  'documents',
  'ledger',
  'recovery',
  'operator-lists',
];

/** The domain that a file of server/src belongs to; undefined for the files beside the domains, which put them together. */
export function domainOf(path: string): string | undefined {
  return /^server\/src\/([^/]+)\//.exec(path)?.[1];
}

/** Tests, the contracts that tests run, and their helpers (`*.test-model.ts`). */
export function isTest(path: string): boolean {
  return /\.(test|contract)(-[a-z]+)?\.[a-z]+$/.test(path);
}

/** Whether a file is part of what runs in production: of the server, or of a package. */
export function isProductSource(path: string): boolean {
  return /^(server|packages\/[^/]+)\/src\//.test(path) && !isTest(path);
}
