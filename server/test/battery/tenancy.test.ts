import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  cardBody,
  expectStatus,
  issueInvoice,
  saveAddress,
  signUpAdmin,
} from '../customers/actors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { saveAccount } from '../payments/paypal-accounts.ts';

const TENANTS = 50;
const POOL_SIZE = 10;
const REQUESTS_EACH = 50;

type Tenant = Actor & { labelId: string; addressId: string; accountId: string; invoiceId: string };

let service: TestService;
let tenants: Tenant[];
/** The owner of each id: of companies, users and everything that belongs to them. */
const owners = new Map<string, Actor>();

beforeAll(async () => {
  service = await startTestService({ poolSize: POOL_SIZE });
  tenants = [];
  while (tenants.length < TENANTS) tenants.push(...(await Promise.all(Array.from({ length: 10 }, prepareTenant))));
});
afterAll(async () => service?.stop());

/**
 * Creates a tenant. All tenants have a label of the same name, the same card, an account at the same gateway and an
 * equal invoice.
 */
async function prepareTenant(): Promise<Tenant> {
  const admin = await signUpAdmin(service);
  const { token, companyId, userId } = admin;
  const addressId = await saveAddress(service, admin);
  const label = { name: 'Same name', description: 'x', color: '#fff', userName: 'Ada' };
  const { id: labelId } = expectStatus(await service.call('POST', '/labels', { token, body: label }), 201).body;
  const card = expectStatus(await service.call('POST', '/payments/cards', { token, body: cardBody(addressId) }), 201);
  const accountId = await saveAccount(service, admin, { isDefault: true });
  const { id: invoiceId } = await issueInvoice(service, companyId);
  for (const id of [companyId, userId, addressId, labelId, card.body.id, accountId, invoiceId]) owners.set(id, admin);
  return { ...admin, labelId, addressId, accountId, invoiceId };
}

type Asked = { method: string; path: string; status: number; body?: object };

/** Draws a request for the tenant's own objects, or for another tenant's, which must be 404. */
function drawRequest(own: Tenant, other: Tenant): Asked {
  const read = (path: string, status = 200): Asked => ({ method: 'GET', path, status });
  const change = (path: string, status: number, body: object): Asked => ({ method: 'PUT', path, status, body });
  const asked = [
    read('/labels'),
    read('/labels?name=same&per_page=1000&order_by=createdAt'),
    read(`/labels/${own.labelId}`),
    read(`/labels/${other.labelId}`, 404),
    read('/payments/cards'),
    read('/payments/paypal-accounts'),
    read('/payments/addresses'),
    read('/payments/billing-information'),
    read('/payments/orders'),
    read(`/payments/orders?receipt=${other.invoiceId}`),
    change(`/labels/${own.labelId}`, 200, { description: randomUUID() }),
    change(`/labels/${other.labelId}`, 404, { description: randomUUID() }),
    change(`/payments/paypal-accounts/${own.accountId}`, 200, { isDefault: true }),
    change(`/payments/paypal-accounts/${other.accountId}`, 404, { isDefault: true }),
    change(`/payments/addresses/${own.addressId}`, 200, { city: 'Paris' }),
    change('/payments/billing-information', 200, { city: 'Paris' }),
  ];
  return asked[randomInt(asked.length)] ?? read('/labels');
}

/** Sends a request without the checks of `service.call`, which take longer than the request itself. */
function send(
  agent: Agent,
  { token }: Actor,
  { method, path, body }: Asked,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${service.url}${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.once('error', reject).end(body && JSON.stringify(body));
  });
}

const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

describe('many companies in parallel on few connections', () => {
  // Security (Tenants): Many companies at once on few connections never see each other's data (also in a manual run of 100,000 requests)
  // ASVS 8.4.1
  it('2,500 interleaved requests of 50 companies on a pool of 10: no answer has an id of another company', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: TENANTS });
    const problems: string[] = [];
    let ownIds = 0;
    const work = async (own: Tenant) => {
      for (let sent = 0; sent < REQUESTS_EACH; sent += 1) {
        const asked = drawRequest(own, tenants[randomInt(TENANTS)] ?? own);
        const answer = await send(agent, own, asked);
        const known = (answer.text.match(UUIDS) ?? []).flatMap((id) => owners.get(id) ?? []);
        ownIds += known.length;
        // The other tenant may be the tenant itself.
        const expected =
          asked.status === 404 && (asked.path.endsWith(own.labelId) || asked.path.endsWith(own.accountId))
            ? 200
            : asked.status;
        const isForeign = known.some(({ companyId }) => companyId !== own.companyId);
        if (isForeign || answer.status !== expected) problems.push(`${asked.method} ${asked.path}: ${answer.text}`);
      }
    };
    await Promise.all(tenants.map(work));
    agent.destroy();
    expect(problems).toEqual([]);
    expect(ownIds).toBeGreaterThan((TENANTS * REQUESTS_EACH) / 2);
  });

  // Security (Tenants): Two companies may have the same label and the same card
  it('two companies can use the same label name and the same card number', async () => {
    const lists = await Promise.all(
      tenants.slice(0, 5).map(async ({ token }) => {
        const labels = (await service.call('GET', '/labels', { token })).body.data;
        const cards = (await service.call('GET', '/payments/cards', { token })).body;
        return [labels[0].name, labels.length, cards[0].info.cardNumber, cards.length];
      }),
    );
    expect(lists).toEqual(Array(5).fill(['Same name', 1, `${CARDS.visa.slice(0, 4)}********4242`, 1]));
    const [row] = await service.database.owner`
      SELECT count(*)::int AS cards, count(DISTINCT fingerprint)::int AS fingerprints FROM cards`;
    expect(row).toEqual({ cards: TENANTS, fingerprints: 1 });
  });
});
