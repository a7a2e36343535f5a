import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPrice, startRun, use, work } from '../../../test/billing/billing.ts';
import { credit } from '../../../test/billing/invoice-documents.ts';
import {
  type Actor,
  CARDS,
  expectStatus,
  invoiceBody,
  issueInvoice,
  saveAddress,
  saveCard,
  signUpAdmin,
  signUpCustomer,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { EVENT_CATALOGUE } from '../../features.ts';

let service: TestService;
let admin: Actor;

beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

type Listed = {
  companyName: string | null;
  invoiceNumber: string | null;
  id: string;
  type: string;
  companyId: string | null;
  createdAt: string;
  data: { [field: string]: unknown };
};

async function list(query: string): Promise<{ data: Listed[]; nextCursor: string | null }> {
  return expectStatus(await service.call('GET', `/operator/events?${query}`, { token: service.operatorKey }), 200).body;
}

/** The company's events, oldest first. */
async function eventsOf({ companyId }: Actor): Promise<Listed[]> {
  return (await list(`companyId=${companyId}&perPage=1000`)).data.toReversed();
}

const typesOf = (events: Listed[]) => events.map(({ type }) => type);
const call = async (method: string, path: string, status: number, body?: object, { token } = admin) =>
  expectStatus(await service.call(method, path, { token, ...(body === undefined ? {} : { body }) }), status).body;

describe('changes are recorded as the API shows them', () => {
  it('addresses, cards and billing information', async () => {
    const actor = await signUpAdmin(service);
    const { token } = actor;
    const address = await call('POST', '/payments/addresses', 201, { city: 'London', firstName: 'Ada' }, actor);
    const changed = await call('PUT', `/payments/addresses/${address.id}`, 200, { firstName: 'Grace' }, actor);
    const first = await saveCard(service, actor, { isDefault: true });
    const second = await saveCard(service, actor, { isDefault: true });
    await call('PUT', `/payments/cards/${second}`, 200, { info: { expMonth: 11, expYear: 2090 } }, actor);
    expectStatus(await service.call('DELETE', `/payments/cards/${first}`, { token }), 204);
    expectStatus(await service.call('DELETE', `/payments/addresses/${address.id}`, { token }), 204);
    const information = await call('PUT', '/payments/billing-information', 200, { city: 'Paris' }, actor);
    const events = await eventsOf(actor);
    expect(typesOf(events)).toEqual([
      ...['user.created', 'address.created', 'address.updated', 'address.created', 'card.created', 'address.created'],
      ...[
        'card.updated',
        'card.created',
        'card.updated',
        'card.deleted',
        'address.deleted',
        'billing_information.updated',
      ],
    ]);
    expect(events[1]?.data).toEqual({ ...address, companyExternalId: null });
    expect(events[2]?.data).toEqual({ ...changed, companyExternalId: null });
    expect(events[6]?.data).toMatchObject({ id: first, isDefault: false });
    expect(events[9]?.data).toMatchObject({ id: first, info: { cardNumber: '4242********4242' } });
    expect(events[11]?.data).toEqual({ ...information, companyExternalId: null });
  });

  it('labels, one event for each of those deleted together', async () => {
    const actor = await signUpAdmin(service);
    const label = () => ({ name: randomUUID(), description: 'x', color: '#fff', userName: 'Ada' });
    const [one, two] = [
      await call('POST', '/labels', 201, label(), actor),
      await call('POST', '/labels', 201, label(), actor),
    ];
    const changed = await call('PUT', `/labels/${one.id}`, 200, { color: '#000' }, actor);
    const body = { label_ids: [one.id, two.id.toUpperCase(), two.id, randomUUID()] };
    expectStatus(await service.call('DELETE', '/labels', { token: actor.token, body }), 204);
    const events = (await eventsOf(actor)).slice(1);
    expect(typesOf(events)).toEqual([
      'label.created',
      'label.created',
      'label.updated',
      'label.deleted',
      'label.deleted',
    ]);
    expect(events.slice(0, 3).map(({ data }) => data)).toEqual(
      [one, two, changed].map((label) => ({ ...label, companyExternalId: null })),
    );
    expect(
      events
        .slice(3)
        .map(({ data }) => data.id)
        .sort(),
    ).toEqual([one.id, two.id].sort());
  });

  it('invoices and payments: paid, declined, voided, credited; exact to the digit', async () => {
    const actor = await signUpAdmin(service);
    const { token, companyId } = actor;
    await saveCard(service, actor, { cardNumber: CARDS.insufficientFunds, isDefault: true });
    const before = (await eventsOf(actor)).length;
    const line = { title: 'Much', path: '/v1/much', totalRequest: 1, currency: 'USD', amount: '90071992547409.93' };
    const declined = await issueInvoice(service, companyId, { details: [line] });
    expectStatus(await service.call('PUT', `/payments/orders/${declined.id}/pay`, { token }), 402);
    await saveCard(service, actor, { isDefault: true });
    expectStatus(await service.call('PUT', `/payments/orders/${declined.id}/pay`, { token }), 200);
    expectStatus(await credit(service, declined.id, { amount: '1.00' }), 201);
    const voided = await issueInvoice(service, companyId);
    const path = `/operator/invoices/${voided.id}/void`;
    expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
    expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
    const events = (await eventsOf(actor)).slice(before).filter(({ type }) => !/^(card|address)/.test(type));
    expect(typesOf(events).sort()).toEqual(
      [
        ...['invoice.created', 'payment.started', 'payment.failed', 'invoice.failed'],
        ...['payment.started', 'payment.captured', 'invoice.succeeded', 'credit_note.created'],
        ...['invoice.created', 'invoice.voided'],
      ].sort(),
    );
    const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(ofType('invoice.created')[0]).toEqual(declined);
    expect(ofType('invoice.failed')[0]).toMatchObject({ id: declined.id, status: 'Failed' });
    expect(ofType('payment.failed')[0]).toMatchObject({ status: 'Failed', declineCode: 'insufficient_funds' });
    expect(ofType('payment.captured')[0]).toMatchObject({ invoiceId: declined.id, status: 'Succeeded' });
    expect(ofType('invoice.succeeded')[0]).toMatchObject({ status: 'Succeeded', total: '90071992547409.93' });
    expect(ofType('invoice.voided')[0]?.voidedAt).not.toBeNull();
    const text = await service.call(
      'GET',
      `/operator/events?companyId=${companyId}&type=invoice.created&perPage=1000`,
      {
        token: service.operatorKey,
      },
    );
    expect(text.text).toContain('"amount":90071992547409.93');
  });

  it('each invoice of a billing run, once', async () => {
    await setPrice(service, { path: '/v1/events', currency: 'USD' });
    const actors = await Promise.all([signUpAdmin(service), signUpAdmin(service), signUpAdmin(service)]);
    for (const actor of actors) await use(service, actor, '/v1/events', 10, '2025-03-10T00:00:00Z');
    await startRun(service, '2025-03');
    await work(service);
    for (const actor of actors) {
      const created = (await eventsOf(actor)).filter(({ type }) => type === 'invoice.created');
      expect(created).toHaveLength(1);
      expect(created[0]?.data).toMatchObject({ companyId: actor.companyId, startAt: '2025-03-01T00:00:00.000Z' });
    }
  });

  it('a sign-up, of a customer without a company too', async () => {
    const { userId } = await signUpCustomer(service);
    const [event] = (await list('type=user.created&perPage=1')).data;
    expect(event).toMatchObject({ companyId: null, data: { id: userId, company: { id: '' } } });
  });

  // Security (Events): A change that is rolled back leaves no event, and a committed one has one
  it('a change that was rolled back leaves no event', async () => {
    const actor = await signUpAdmin(service);
    await service.database.owner`ALTER TABLE events ADD CONSTRAINT refused CHECK (type <> 'address.created') NOT VALID`;
    const answer = await service.call('POST', '/payments/addresses', { token: actor.token, body: {} });
    await service.database.owner`ALTER TABLE events DROP CONSTRAINT refused`;
    expect(answer.status).toBe(500);
    expect(await call('GET', '/payments/addresses', 200, undefined, actor)).toEqual([]);
    expect(typesOf(await eventsOf(actor))).toEqual(['user.created']);
  });
});

describe('GET /operator/events', () => {
  it('pages by cursor, newest first, and repeats no event while new ones arrive', async () => {
    const actor = await signUpAdmin(service);
    const ids: string[] = [];
    for (let made = 0; made < 7; made += 1) ids.push(await saveAddress(service, actor));
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(
        `companyId=${actor.companyId}&type=address.created&perPage=3${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.data.map(({ data }) => data.id));
      cursor = page.nextCursor;
      await saveAddress(service, actor);
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  it('filters by type, company and time', async () => {
    const actor = await signUpAdmin(service);
    await saveAddress(service, actor);
    await issueInvoice(service, actor.companyId);
    const query = `companyId=${actor.companyId}`;
    expect(typesOf((await list(`${query}&type=invoice.created`)).data)).toEqual(['invoice.created']);
    const [newest, middle, oldest] = (await list(query)).data;
    expect(typesOf((await list(`${query}&startAt=${newest?.createdAt}`)).data)).toEqual(['invoice.created']);
    expect(typesOf((await list(`${query}&endAt=${middle?.createdAt}`)).data)).toEqual(['user.created']);
    expect((await list(`${query}&startAt=${oldest?.createdAt.slice(0, 10)}`)).data).toHaveLength(3);
    expect((await list(`${query}&endAt=2020-01-01`)).data).toEqual([]);
  });

  it('names the company and the invoice of each event', async () => {
    const { companyId, email } = await signUpAdmin(service);
    const { number } = await issueInvoice(service, companyId);
    const { data } = await list(`companyId=${companyId}`);
    const named = data.map(({ type, companyName, invoiceNumber }) => ({ type, companyName, invoiceNumber }));
    expect(named).toEqual([
      { type: 'invoice.created', companyName: email, invoiceNumber: number },
      { type: 'user.created', companyName: email, invoiceNumber: null },
    ]);
  });

  it.each([
    'type=invoice',
    'companyId=x',
    'cursor=x',
    'cursor=1_2',
    'perPage=0',
    'startAt=yesterday',
    'startAt=2026-10-02&endAt=2026-10-01',
  ])('%s is 400', async (query) => {
    const answer = await service.call('GET', `/operator/events?${query}`, { token: service.operatorKey });
    expect(answer.status).toBe(400);
  });
});

describe('the catalogue', () => {
  // Security (Events): An event shows what the API shows, and nothing more
  it('describes the shape of every event that the service recorded', async () => {
    await issueInvoice(service, admin.companyId, invoiceBody(admin.companyId));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const { data } = await list('perPage=1000');
    expect(new Set(typesOf(data)).size).toBeGreaterThan(15);
    const wrong = data.flatMap(({ type, data }) => {
      const schema = close(EVENT_CATALOGUE[type]?.data ?? false);
      return ajv.validate(schema, data) ? [] : [`${type}: ${ajv.errorsText()}`];
    });
    expect([...new Set(wrong)]).toEqual([]);
  });
});

/** The schema with unknown fields forbidden. */
function close(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value) =>
      value?.properties !== undefined && value.additionalProperties === undefined
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );
}
