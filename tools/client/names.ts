import { type Document, firstSuccessOf, type Operation, operationsOf } from './document.ts';

/*
 * Names an operation in the client. Its path gives the resource and the first word of its operationId the method, so that `PUT
 * /labels/{label_id}`, updateLabel, is `labels.update`. The prefix /payments of a company's paths is omitted.
 */

/** Segments of paths that have another name in the rest of the API. */
const SEGMENTS: Record<string, string> = { orders: 'invoices' };

/** Operations whose path is not a resource. */
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
  'post /auth/local/second-factor': 'auth.finishLogIn',
  'post /auth/passkeys/login/options': 'auth.passkeys.beginLogIn',
  'post /auth/passkeys/login': 'auth.passkeys.logIn',
  'post /auth/passkeys/options': 'auth.passkeys.begin',
  'get /auth/totp': 'auth.totp.get',
  'post /auth/totp': 'auth.totp.begin',
  'delete /auth/totp': 'auth.totp.disable',
  'post /auth/recovery-codes': 'auth.recoveryCodes.renew',
  'post /auth/operator': 'auth.logInWithOperatorKey',
  'post /auth/logout': 'auth.logOut',
  'post /auth/refresh': 'auth.refresh',
  'put /auth/email': 'auth.email.change',
  'put /auth/password': 'auth.password.change',
  'delete /auth/sessions': 'auth.sessions.revokeOthers',
  'delete /company/members/{member_id}/sessions': 'company.members.revokeSessions',
  'post /operator/companies/{company_id}/views': 'operator.companies.view',
  'delete /operator/companies/{company_id}/views': 'operator.companies.endViews',
  'post /gateways/sandbox/setups/confirm': 'sandbox.confirmSetup',
  'post /gateways/sandbox/challenges': 'sandbox.answerChallenge',
  'get /operator/prices/quote': 'operator.prices.quote',
  'get /operator/audit-log/verification': 'operator.auditLog.verify',
};

/**
 * Names every operation of a document: the resources and the method, separated by dots. @throws Error if two operations
 * have the same name, or if a name is listed for an operation that does not exist
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
  // A list as a file is a method of the list: `ledger.csv`.
  const segments = path
    .replace(/\.csv$/, '/csv')
    .split('/')
    .slice(path.startsWith('/payments/') ? 2 : 1);
  const resources = segments.filter((segment) => !isId(segment)).map(toName);
  if (isAction(operation, document)) return resources.join('.');
  const [verb = ''] = /^[a-z]+/.exec(described.operationId) ?? [];
  return [...resources, verb].join('.');
}

/**
 * Whether an operation is an action: `/labels/{id}/merge` does something with a label, while `/labels/{id}/notes` is a
 * resource, because notes can be read.
 */
function isAction({ method, path, described }: Operation, { paths }: Document): boolean {
  if (method === 'get')
    return Object.keys(firstSuccessOf(described).content ?? {}).some((type) => !type.includes('json'));
  if (path.endsWith('}')) return false;
  const isRead = paths[path]?.get !== undefined || Object.keys(paths).some((other) => other.startsWith(`${path}/{`));
  return !isRead;
}

function isId(segment: string | undefined): boolean {
  return segment?.startsWith('{') === true;
}

/** Converts `credit-notes` and `credit_note_id` to `creditNotes` and `creditNoteId`. */
export function toName(segment: string): string {
  const name = SEGMENTS[segment] ?? segment;
  return name.replace(/[^a-z\d]+([a-z\d])/gi, (_match, letter: string) => letter.toUpperCase());
}
