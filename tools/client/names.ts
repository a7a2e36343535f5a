import { type Document, type Operation, operationsOf, successOf } from './document.ts';

/*
 * What an operation is called in the client: its path says the resource, the first word of its operationId the method, so that
 * `PUT /labels/{label_id}`, updateLabel, is `labels.update`. The paths of a company begin with /payments, which a name leaves out.
 */

/** Segments of paths that the rest of the API calls otherwise. */
const SEGMENTS: Record<string, string> = { orders: 'invoices' };

/** Operations whose path is no resource. */
const NAMES: Record<string, string> = {
  'get /healthz': 'service.health',
  'get /readyz': 'service.readiness',
  'get /metrics': 'service.metrics',
  'get /openapi.json': 'service.openapi',
  'get /docs': 'service.docs',
  'get /.well-known/jwks.json': 'auth.publicKeys',
  'post /auth/signup/admin': 'auth.signUpAdmin',
  'post /auth/signup/customer': 'auth.signUpCustomer',
  'post /auth/local': 'auth.logIn',
  'post /auth/logout': 'auth.logOut',
  'get /operator/ledger.csv': 'operator.ledger.csv',
};

/**
 * Names every operation of a document: the resources and the method, with dots between.
 * @throws Error when two operations have one name, or when a name is given to an operation that is not there
 */
export function nameOperations(document: Document): Map<string, Operation> {
  const operations = operationsOf(document);
  const keys = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const unknown = Object.keys(NAMES).filter((key) => !keys.has(key));
  if (unknown.length > 0) throw new Error(`tools/client/names.ts names ${unknown.join(', ')}, which the API has not.`);
  const named = new Map<string, Operation>();
  for (const operation of operations) {
    const name = nameOf(operation, document);
    const other = named.get(name);
    if (other !== undefined) throw new Error(`${operation.path} and ${other.path} are both ${name}: name one of them.`);
    named.set(name, operation);
  }
  return named;
}

function nameOf(operation: Operation, document: Document): string {
  const { method, path, described } = operation;
  const given = NAMES[`${method} ${path}`];
  if (given !== undefined) return given;
  const segments = path.split('/').slice(path.startsWith('/payments/') ? 2 : 1);
  const resources = segments.filter((segment) => !isId(segment)).map(toName);
  if (isAction(operation, document)) return resources.join('.');
  const [verb = ''] = /^[a-z]+/.exec(described.operationId) ?? [];
  return [...resources, verb].join('.');
}

/** `/labels/{id}/merge` does something with a label; `/labels/{id}/notes` is a resource, since notes can be read. */
function isAction({ method, path, described }: Operation, { paths }: Document): boolean {
  if (method === 'get') return Object.keys(successOf(described).content ?? {}).some((type) => !type.includes('json'));
  if (path.endsWith('}')) return false;
  const isRead = paths[path]?.get !== undefined || Object.keys(paths).some((other) => other.startsWith(`${path}/{`));
  return !isRead;
}

function isId(segment: string | undefined): boolean {
  return segment?.startsWith('{') === true;
}

/** `credit-notes` and `credit_note_id` are `creditNotes` and `creditNoteId`. */
export function toName(segment: string): string {
  const name = SEGMENTS[segment] ?? segment;
  return name.replace(/[^a-z\d]+([a-z\d])/gi, (_match, letter: string) => letter.toUpperCase());
}
