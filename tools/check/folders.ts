import { posix } from 'node:path';

/** Folders of server/src that hold no feature: every feature may import them, and they import none. */
const INFRASTRUCTURE_FOLDERS = new Set(['database', 'http', 'money', 'gateways', 'keys', 'calendar']);

/** Features, each before all that import it. What stands on one line does not know of each other. */
export const FEATURE_ORDER: readonly string[] = [
  ['countries', 'vat-ids'],
  ['operators', 'processes', 'jobs', 'events', 'companies', 'seller', 'usage'],
  [
    'webhooks',
    'alerts',
    'addresses',
    'billing-information',
    'labels',
    'credits',
    'numbering',
    'prices',
    'card-testing',
    'ledger',
  ],
  ['accounts', 'cards', 'paypal-accounts', 'items', 'invoices'],
  ['billing-runs', 'refunds', 'disputes'],
  ['billing-previews', 'usage-thresholds', 'invoice-attempts', 'operator-lists', 'payments'],
  ['collection'],
].flat();

/** The files that put the features together. A `*.main.ts` beside them is the entry of a further process. */
const COMPOSITION_FILE = /^server\/src\/(app|features|service|serve|housekeeping|main|workers|[a-z-]+\.main)\.ts$/;

export type Area =
  | { kind: 'feature'; feature: string }
  | { kind: 'infrastructure' }
  | { kind: 'composition' }
  | { kind: 'outside' };

/** Where a file stands in the server. */
export function areaOf(path: string): Area {
  if (!path.startsWith('server/src/')) return { kind: 'outside' };
  if (COMPOSITION_FILE.test(path)) return { kind: 'composition' };
  const [, , folder = '', ...rest] = path.split('/');
  if (rest.length === 0 || INFRASTRUCTURE_FOLDERS.has(folder)) return { kind: 'infrastructure' };
  return { kind: 'feature', feature: folder };
}

/** Tests, the contracts that tests run, and their helpers (`*.test-model.ts`). */
export function isTest(path: string): boolean {
  return /\.(test|contract)(-[a-z]+)?\.[a-z]+$/.test(path);
}

/** Whether a file is part of what runs in production on the server. */
export function isServerSource(path: string): boolean {
  return path.startsWith('server/src/') && !isTest(path);
}

/** Whether a file is the configuration of a tool, which decides itself how it is loaded. */
export function isToolConfiguration(path: string): boolean {
  return /\.config\.(ts|mts|js|mjs)$/.test(path);
}

/** Whether `path` is `folder` itself or stands in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The file's name without its folders. */
export function baseName(path: string): string {
  return posix.basename(path);
}
