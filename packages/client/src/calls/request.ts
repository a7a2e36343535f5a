import type { Credential, Operation, PaydeskOptions } from './types.ts';

export type Query = Record<string, unknown>;

/** A call as it is sent, without the credential, which each attempt reads anew. */
export type Prepared = {
  /** With the query. */
  path: string;
  headers: Headers;
  body: string | null;
  idempotencyKey: string | null;
};

/** Builds the request. @throws TypeError if an id or the key can't be sent */
export function prepare(
  operation: Operation,
  { ids, body, query }: { ids: readonly string[]; body?: unknown; query?: Query | undefined },
  { idempotencyKey, session }: { idempotencyKey: string | undefined; session: PaydeskOptions['session'] },
): Prepared {
  const headers = new Headers({ accept: acceptOf(operation) });
  const hasBody = body !== undefined;
  if (hasBody) headers.set('content-type', mediaTypeOf(operation, body));
  const key = operation.takesKey === true ? (idempotencyKey ?? crypto.randomUUID()) : null;
  if (key !== null) headers.set('idempotency-key', checkKey(key));
  return {
    path: fillPath(operation.path, ids) + writeQuery(operation.takesSession ? { session, ...query } : query),
    headers,
    body: hasBody ? JSON.stringify(body) : null,
    idempotencyKey: key,
  };
}

function acceptOf({ answer }: Operation): string {
  return answer === undefined ? 'application/json' : '*/*';
}

function mediaTypeOf({ batchMediaType }: Operation, body: unknown): string {
  return batchMediaType !== undefined && Array.isArray(body) ? batchMediaType : 'application/json';
}

function checkKey(key: string): string {
  if (/^[!-~](?:[ -~]{0,253}[!-~])?$/.test(key)) return key;
  throw new TypeError('An idempotencyKey has 1 to 255 printable ASCII characters, and no space at its ends.');
}

function fillPath(path: string, ids: readonly string[]): string {
  const left = ids.values();
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id: unknown = left.next().value;
    // One or two dots would lead to another path.
    if (typeof id === 'string' && id !== '' && !/^\.{1,2}$/.test(id)) return encodeURIComponent(id);
    throw new TypeError(`The ${name.replaceAll('_', ' ')} of ${path} must be an id.`);
  });
}

/** Writes the query. Undefined and null are omitted, and a Date is written as an instant. */
function writeQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns the service's address without a slash at its end. @throws TypeError if it is invalid or contains a password
 */
export function readBaseUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol);
  if (!isWeb || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('The url of Paydesk must be an address such as https://billing.example.com.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError('The url of Paydesk must hold no user and no password.');
  }
  return parsed.href.replace(/\/+$/, '');
}

/**
 * Returns the value of `Authorization`; null for an operation that needs none, or while nobody is logged in.
 * @throws TypeError if the credential is missing or can't be sent in a header; the message never contains it
 */
export async function authorize(
  { credential }: Operation,
  options: Pick<PaydeskOptions, 'accessToken' | 'operatorKey' | 'refreshToken' | 'session'>,
): Promise<string | null> {
  if (credential === undefined) return null;
  const given: Credential | undefined = options[optionFor(credential, options)];
  const value: unknown = typeof given === 'function' ? await given() : given;
  // Nobody is logged in, or the cookie says who is: the service answers that.
  if (value === undefined && keepsSession(options)) return null;
  if (value === undefined || value === '') {
    throw new TypeError(`This needs the option ${credential} of createPaydesk.`);
  }
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value)) {
    throw new TypeError(`The option ${credential} of createPaydesk is not a text that a header can carry.`);
  }
  return `Bearer ${value}`;
}

/** The option that has the credential: the operator's people call the operator's operations with an access token. */
export function optionFor(
  credential: 'accessToken' | 'operatorKey',
  {
    accessToken,
    operatorKey,
    ...session
  }: Pick<PaydeskOptions, 'accessToken' | 'operatorKey' | 'refreshToken' | 'session'>,
): 'accessToken' | 'operatorKey' {
  const hasToken = accessToken !== undefined || keepsSession(session);
  return operatorKey === undefined && hasToken ? 'accessToken' : credential;
}

/** Whether the client gets access tokens by itself. */
export function keepsSession({ refreshToken, session }: Pick<PaydeskOptions, 'refreshToken' | 'session'>): boolean {
  return refreshToken !== undefined || session !== undefined;
}
