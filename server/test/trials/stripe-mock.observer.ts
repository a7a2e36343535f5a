/** Stands between Stripe's adapter and a server with Stripe's API, and notes every request and its answer. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request with its parameters, and its answer as the server sent it. `route` has `{id}` in place of an id. */
export type Seen = { route: string; sent: string; status: number; answer: unknown };

/** A customer that was deleted at Stripe, of whom stripe-mock knows nothing. */
export const GONE = 'cus_gone';
const MISSING = {
  status: 400,
  answer: { error: { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' } },
};

/** A payment that was confirmed off session, and about which the bank wants to ask. */
export const ASKED = 'pi_asked';
const REFUSED = {
  status: 'requires_payment_method',
  last_payment_error: { code: 'authentication_required', payment_method: { id: 'pm_1' } },
};

const DEBIT = {
  id: 'pm_debit',
  object: 'payment_method',
  type: 'sepa_debit',
  customer: null,
  billing_details: { name: 'Ada' },
  sepa_debit: { country: 'DE', last4: '3000', fingerprint: 'x' },
};
const PAID = { status: 'succeeded', amount_received: 1099, last_payment_error: null };

/**
 * stripe-mock has no state: it always answers with the same objects. So that the adapter goes on to its further requests, its answers are
 * changed as Stripe's would be.
 */
const BENDS: readonly (readonly [RegExp, object])[] = [
  [/^POST \/v1\/payment_intents$/, { status: 'requires_confirmation', last_payment_error: null }],
  [/^(POST|GET) \/v1\/payment_intents\/\w+(\/confirm)?$/, PAID],
  [/^GET \/v1\/payment_intents\/pi_asked$/, REFUSED],
  [/^POST \/v1\/payment_intents\/\w+\/cancel$/, { status: 'canceled', last_payment_error: null }],
  [/^GET \/v1\/payment_methods\/pm_debit$/, DEBIT],
  [
    /^GET \/v1\/setup_intents\/\w+$/,
    { status: 'succeeded', customer: 'cus_1', payment_method: DEBIT, mandate: 'mandate_1' },
  ],
];

/** Starts an observer of the server. With `bends` it changes the answers, and lets every list have a second page. */
export async function startObserver(
  target: string,
  seen: Seen[],
  { bends }: { bends: boolean },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const { pathname, search, searchParams } = new URL(url, target);
    const body = await readBody(request);
    const route = `${method} ${nameRoute(pathname)}`;
    const isOfGone = bends && searchParams.get('customer') === GONE;
    const answered = isOfGone ? MISSING : await forward(new URL(url, target), request, body);
    if (!isOfGone) seen.push({ route, sent: decodeURIComponent(body || search), ...answered });
    const answer =
      bends && answered.status === 200
        ? bend(`${method} ${pathname}`, answered.answer, { isFirst: !searchParams.has('starting_after') })
        : answered.answer;
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(url: URL, { method = 'GET', headers }: IncomingMessage, body: string) {
  const names = ['authorization', 'stripe-version', 'content-type', 'idempotency-key'] as const;
  const passed = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const sent = { method, headers: Object.fromEntries(passed), ...(method === 'GET' ? {} : { body }) };
  const response = await fetch(url, sent);
  return { status: response.status, answer: (await response.json()) as unknown };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function nameRoute(path: string): string {
  return path.replace(/^(\/v1\/\w+)\/(?!search$)\w+/, '$1/{id}');
}

function bend(methodAndPath: string, answer: unknown, { isFirst }: { isFirst: boolean }): unknown {
  if (!isRecord(answer)) return answer;
  const changes = BENDS.filter(([pattern]) => pattern.test(methodAndPath)).map(([, change]) => change);
  const page = answer.object === 'list' ? { has_more: isFirst } : {};
  return Object.assign({}, answer, page, ...changes);
}

/** Fields that Stripe documents, but that stripe-mock's examples do not have. */
const DOCUMENTED = ['search_result.next_page', 'payment_method.sepa_debit'];

/** Compares the stand-in's objects with those of stripe-mock. @returns the fields that Stripe has not, or has with another type */
export function findDifferences(atMock: readonly Seen[], atStandIn: readonly Seen[]): string[] {
  const [theirs, ours] = [typesOf(atMock), typesOf(atStandIn)];
  return [...ours].flatMap(([path, types]) => {
    const known = theirs.get(path);
    const isInKnownObject = theirs.get(path.slice(0, path.lastIndexOf('.')))?.has('object') === true;
    // Lists that are empty in the examples may have anything.
    const isDocumented = path.endsWith('[]') || DOCUMENTED.includes(path);
    if (known === undefined) return isInKnownObject && !isDocumented ? [`${path} is not Stripe's`] : [];
    const others = [...types].filter((type) => type !== 'null' && !known.has(type));
    // A field that is always null in the examples may have any type.
    if (others.length === 0 || (known.size === 1 && known.has('null'))) return [];
    return [`${path} is ${others.join(' or ')}, and at Stripe ${[...known].join(' or ')}`];
  });
}

type Types = Map<string, Set<string>>;

/** Collects the types of all fields by the name of their object, such as `refund.amount`. */
function typesOf(seen: readonly Seen[]): Types {
  const types: Types = new Map();
  for (const { status, answer } of seen) if (status === 200) collect('', answer, types);
  return types;
}

function collect(path: string, value: unknown, types: Types): void {
  const isObject = isRecord(value);
  const name = isObject && typeof value.object === 'string' ? value.object : path;
  const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  const add = (field: string, one: string) => types.set(field, (types.get(field) ?? new Set()).add(one));
  add(path, type);
  // An object in the place of its id.
  if (name !== path) {
    add(name, type);
    add(path, 'string');
  }
  if (Array.isArray(value)) for (const item of value) collect(`${path}[]`, item, types);
  if (!isObject || path.endsWith('.metadata')) return;
  for (const [field, part] of Object.entries(value)) collect(`${name}.${field}`, part, types);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
