/**
 * A product that bills its customers with Paydesk: accounts of its own, metered requests, a button that opens the customer's invoices,
 * and a webhook that unlocks the account when an invoice is paid. docs/integrating.md says how to start it.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
// In a project of your own, from '@paydesk/client'.
import { createPaydesk, verifyWebhook, WebhookVerificationError } from '../../packages/client/src/index.ts';

const PORT = process.env.PORT ?? '4000';
const ORIGIN = `http://localhost:${PORT}`;
const PAYDESK_URL = process.env.PAYDESK_URL ?? 'http://127.0.0.1:3000';
/** Every account has some requests before its first invoice is paid. */
const FREE_REQUESTS = 3;

// A real product keeps both in its database.
type Account = { id: string; name: string; email: string; requests: number; hasPaid: boolean };
const accounts = new Map<string, Account>();
const accountsByLogin = new Map<string, Account>();

const { operator } = createPaydesk({ url: PAYDESK_URL, operatorKey: process.env.PAYDESK_KEY });
const usage = operator.usageBuffer({
  maxMilliseconds: 500,
  onDropped: (events, error) => console.error(`${events.length} usage events were not sent`, error),
});

type Answer = { status: number; body?: string; headers?: Record<string, string> };

/** The product's sign-up. The same PUT follows every later change of the account. */
async function signUp(request: IncomingMessage): Promise<Answer> {
  const form = new URLSearchParams(await text(request));
  const [name, email] = [form.get('name') ?? '', form.get('email') ?? ''];
  const account: Account = { id: `acct-${randomUUID()}`, name, email, requests: 0, hasPaid: false };
  await operator.companies.update(`external:${account.id}`, { name, email, metadata: { plan: 'trial' } });
  accounts.set(account.id, account);
  const login = randomUUID();
  accountsByLogin.set(login, account);
  return redirect('/', { 'set-cookie': `login=${login}; HttpOnly; SameSite=Lax; Path=/` });
}

/** The product's work: each request is one event of usage. */
async function transcribe(account: Account): Promise<Answer> {
  if (!account.hasPaid && account.requests >= FREE_REQUESTS) {
    return page(402, 'Your free requests are used up. Pay your first invoice to go on.');
  }
  account.requests += 1;
  await usage.add({
    ...{ specversion: '1.0', type: 'paydesk.usage', source: '/saas', id: randomUUID() },
    ...{ subject: `external:${account.id}`, time: new Date().toISOString() },
    data: { path: '/v1/transcriptions', quantity: 1 },
  });
  return page(200, 'Your recording is transcribed.');
}

/** Opens the customer's invoices, without a second login. */
async function openBilling({ id, name }: Account): Promise<Answer> {
  const { url } = await operator.companies.sessions.create(`external:${id}`, {
    ...{ user: { id, name }, returnUrl: `${ORIGIN}/` },
  });
  return redirect(url ?? '/');
}

/** Unlocks the account when an invoice is paid. A repeated event changes nothing. */
async function receiveWebhook(request: IncomingMessage): Promise<Answer> {
  try {
    const event = await verifyWebhook(await text(request), request.headers, process.env.PAYDESK_WEBHOOK_SECRET ?? '');
    const account = accounts.get(event.companyExternalId ?? '');
    if (event.type === 'invoice.succeeded' && account !== undefined) account.hasPaid = true;
    return { status: 204 };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: 400, body: error.message };
    throw error;
  }
}

function showHome(account: Account | undefined): Answer {
  if (account === undefined) {
    const fields = '<input name="name" placeholder="Company"> <input name="email" placeholder="E-mail">';
    return page(200, `<form method="post" action="/signup">${fields} <button>Sign up</button></form>`);
  }
  const plan = account.hasPaid ? 'paid' : `trial, ${FREE_REQUESTS} requests`;
  const buttons = [
    ['/transcriptions', 'Transcribe'],
    ['/billing', 'Billing'],
  ].map(([action, label]) => `<form method="post" action="${action}"><button>${label}</button></form>`);
  return page(200, `<p>Plan: ${plan}. Requests: ${account.requests}.</p>${buttons.join('')}`);
}

function page(status: number, content: string): Answer {
  const body = `<!doctype html><html lang="en"><title>Product</title>${content}<p><a href="/">Home</a></html>`;
  return { status, body, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { location, ...headers } };
}

function findAccount(request: IncomingMessage): Account | undefined {
  const [, login = ''] = /(?:^|; )login=([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
  return accountsByLogin.get(login);
}

async function route(request: IncomingMessage): Promise<Answer> {
  const account = findAccount(request);
  const target = `${request.method} ${request.url}`;
  if (target === 'GET /') return showHome(account);
  if (target === 'POST /signup') return signUp(request);
  if (target === 'POST /webhooks') return receiveWebhook(request);
  if (account === undefined) return redirect('/');
  if (target === 'POST /transcriptions') return transcribe(account);
  if (target === 'POST /billing') return openBilling(account);
  return page(404, 'There is no such page.');
}

const server = createServer(async (request, response) => {
  const { status, headers, body } = await route(request).catch((error: unknown) => {
    console.error(error);
    return page(500, 'Something went wrong. Please try again.');
  });
  response.writeHead(status, headers).end(body);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The product is at ${ORIGIN}`));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await usage.close();
});
