import { posix } from 'node:path';

/** The domains of server/src, each before all that import it. */
export const DOMAIN_ORDER: readonly string[] = [
  'platform',
  'outbox',
  'alerts',
  'customers',
  'identity',
  'labels',
  'gateways',
  'methods',
  'metering',
  'billing',
  'payments',
  'ledger',
  'operator-lists',
];

export type Area =
  | { kind: 'domain'; domain: string }
  /** The files directly in server/src: they put the domains together. */
  | { kind: 'composition' }
  | { kind: 'outside' };

/** Where a file stands in the server. */
export function areaOf(path: string): Area {
  if (!path.startsWith('server/src/')) return { kind: 'outside' };
  const [, , domain = '', ...rest] = path.split('/');
  return rest.length === 0 ? { kind: 'composition' } : { kind: 'domain', domain };
}

/** Tests, the contracts that tests run, and their helpers (`*.test-model.ts`). */
export function isTest(path: string): boolean {
  return /\.(test|contract)(-[a-z]+)?\.[a-z]+$/.test(path);
}

/** Whether a file is part of what runs in production on the server. */
export function isServerSource(path: string): boolean {
  return path.startsWith('server/src/') && !isTest(path);
}

/** Whether a file is part of what runs in production: of the server, or of a package. */
export function isProductSource(path: string): boolean {
  return isServerSource(path) || (/^packages\/[^/]+\/src\//.test(path) && !isTest(path));
}

/** Whether `path` is `folder` itself or stands in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The file's name without its folders. */
export function baseName(path: string): string {
  return posix.basename(path);
}
