/** Companies that a product has created after the backup: they are made again, or are the ones that the product has created since. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runMonth, setPrice, startRun } from '../../../test/billing/billing.ts';
import { attributeNow, listUnattributed, namedEvent } from '../../../test/billing/unattributed.ts';
import { reportUsage } from '../../../test/billing/usage.ts';
import { expectStatus, issueInvoice, saveCard } from '../../../test/customers/actors.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { backUpToHold, findCases } from '../../../test/recovery/objects.ts';

const PATH = '/v1/of-a-product';
const USED_AT = '2026-10-05T10:00:00Z';
const FIELDS = {
  name: 'Acme Robotics',
  email: 'billing@acme.example',
  phone: '+44 117 496 0101',
  metadata: { plan: 'pro' },
  billingInformation: { organization: 'Acme Robotics Ltd', country: 'GB', city: 'Bristol' },
  billingSettings: { taxRate: '20', netDays: 14, timezone: 'Europe/London', dunningDays: [3, 9] },
};

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true, clock: () => new Date('2026-11-15T12:00:00Z') });
  await setPrice(service, { path: PATH, unitAmount: '0.25' });
});
afterEach(async () => {
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(() => service?.stop());

const operator = (method: string, path: string, body?: object, headers = {}) =>
  service.call(method, path, { token: service.operatorKey, headers, ...(body === undefined ? {} : { body }) });
const put = async (externalId: string, body: object = {}) =>
  (await operator('PUT', `/operator/companies/external:${externalId}`, body)).body;
const read = async (path: string) => expectStatus(await operator('GET', path), 200).body;
const adoptAll = async (body: object = {}) => expectStatus(await adopt(service, body), 200).body;
const readJournal = async () => {
  const entries = [];
  for await (const entry of service.journal?.read() ?? []) entries.push(entry);
  return entries;
};

/** The company as a customer session of it acts. */
async function actAs(companyId: string, { call, operatorKey: token } = service) {
  const { body } = await call('POST', `/operator/companies/${companyId}/sessions`, { token, body: {} });
  return { token: body.token as string, companyId, refreshToken: '', userId: '', email: '' };
}

async function payOne(companyId: string, at = service) {
  const actor = await actAs(companyId, at);
  await saveCard(at, actor);
  const { id } = await issueInvoice(at, companyId);
  return expectStatus(await at.call('PUT', `/payments/orders/${id}/pay`, { token: actor.token }), 200).body;
}

/** What the operator reads of a company that must not change. */
async function describeCompany(id: string) {
  const { updatedAt: _updatedAt, cards: _cards, ...company } = await read(`/operator/companies/${id}`);
  const { updatedAt: _at, ...information } = await read(`/operator/companies/${id}/billing-information`);
  const settings = await read(`/operator/companies/${id}/billing-settings`);
  const { data: invoices } = await read(`/operator/invoices?companyId=${id}`);
  const described = invoices.map(({ number, total, status }: Record<string, string>) => ({ number, total, status }));
  return { company, information, settings, invoices: described };
}

describe('the journal', () => {
  it('has each entry with the external id of its company, and companies that the operator creates or changes', async () => {
    const externalId = randomUUID();
    const { id } = await put(externalId, FIELDS);
    await put(externalId, FIELDS);
    await put(externalId, { name: 'Acme' });
    await operator('PUT', `/operator/companies/${id}`, { billingSettings: { netDays: 30 } });
    await issueInvoice(service, id);
    const entries = (await readJournal()).filter(({ companyId }) => companyId === id);
    expect(entries.map(({ kind, companyExternalId }) => [kind, companyExternalId])).toEqual([
      ...Array.from({ length: 3 }, () => ['company', externalId]),
      ['invoice', externalId],
    ]);
    const names = entries.map(({ document }) => JSON.parse(document).company?.name);
    expect(names).toEqual(['Acme Robotics', 'Acme', 'Acme', undefined]);
  });
});

describe('a company that the database has lost', () => {
  it('is made again as it was last, with its ids, and gets what it had', async () => {
    const { goBack } = await prepareToGoBack(service);
    const externalId = randomUUID();
    const { id } = await put(externalId, FIELDS);
    await put(externalId, { name: 'Acme Machines' });
    await payOne(id);
    await issueInvoice(service, id);
    const before = await describeCompany(id);
    await goBack();
    expect((await operator('GET', `/operator/companies/${id}`)).status).toBe(404);
    const cases = await listCases(service, id);
    expect(cases.filter(({ plan }) => plan?.includes('not in the database'))).toEqual([]);
    expect(cases.find(({ kind }) => kind === 'company')?.plan).toContain('made again with its id');
    const { decided } = await adoptAll();
    expect(decided.map(({ state }: { state: string }) => state)).toEqual(decided.map(() => 'done'));
    expect(decided[0].note).toMatch(/^Company .* is here again\.$/);
    expect(await describeCompany(id)).toEqual(before);
    expect(await put(externalId)).toMatchObject({ id });
    expect(await compareNow(service)).toBe(0);
    const { data } = await read(`/operator/events?companyId=${id}`);
    expect(data.map(({ type }: { type: string }) => type)).toContain('company.created');
  });

  it('is made again with its UUID without an external id, disabled as it was, and its repeated request is answered the same', async () => {
    const { goBack } = await prepareToGoBack(service);
    const key = { 'idempotency-key': randomUUID() };
    const create = () => operator('POST', '/operator/companies', { name: 'Acme', addresses: [ADDRESS] }, key);
    const { id } = expectStatus(await create(), 201).body;
    await operator('PUT', `/operator/companies/${id}`, { disabled: true, billingSettings: { numberPrefix: 'ACME-' } });
    // Another company may have got the prefix since.
    await goBack(() => put(randomUUID(), { billingSettings: { numberPrefix: 'ACME-' } }));
    await adoptAll();
    expect(await read(`/operator/companies/${id}`)).toMatchObject({ name: 'Acme', externalId: null, disabled: true });
    expect(expectStatus(await create(), 201).body.id).toBe(id);
    const [{ count }] = await service.database.owner<[{ count: number }]>`
      SELECT count(*)::int FROM addresses WHERE company_id = ${id}`;
    expect(count).toBe(1);
  });

  it('is the one that the product has created since under its external id, which gets what it had', async () => {
    const { goBack } = await prepareToGoBack(service);
    const externalId = randomUUID();
    const { id: lostId } = await put(externalId, FIELDS);
    const paid = await payOne(lostId);
    const open = await issueInvoice(service, lostId);
    let id = '';
    await goBack(async () => {
      ({ id } = await put(externalId, { name: 'Acme' }));
    });
    const { decided } = await adoptAll();
    expect(decided.map(({ state }: { state: string }) => state)).toEqual(decided.map(() => 'done'));
    expect(decided[0].note).toContain(`Company ${lostId}`);
    expect(decided[0].note).toContain(`is ${id} now`);
    expect((await operator('GET', `/operator/companies/${lostId}`)).status).toBe(404);
    const { company, invoices } = await describeCompany(id);
    expect(company).toMatchObject({ name: 'Acme', externalId, openInvoices: 1, due: [{ amount: open.total }] });
    expect(invoices.map(({ status }: { status: string }) => status).toSorted()).toEqual(['Processing', 'Succeeded']);
    expect(invoices.map(({ number }: { number: string }) => number)).toContain(paid.number);
    expect(await listCases(service, lostId)).toEqual([]);
    expect(await adoptAll()).toMatchObject({ decided: [], remaining: 0 });
    expect(await compareNow(service)).toBe(0);
  });

  it('keeps the external id that it had last', async () => {
    const { goBack } = await prepareToGoBack(service);
    const [first, last] = [randomUUID(), randomUUID()];
    const { id } = await put(first, FIELDS);
    await issueInvoice(service, id);
    await operator('PUT', `/operator/companies/${id}`, { externalId: last });
    await issueInvoice(service, id);
    let now = '';
    await goBack(async () => {
      ({ id: now } = await put(last));
    });
    await adoptAll();
    expect((await describeCompany(now)).invoices).toHaveLength(2);
    expect((await read(`/operator/companies?externalId=${first}`)).total).toBe(0);
  });

  it('has the usage that waits for its external id, and no month of it is billed twice', async () => {
    const externalId = randomUUID();
    const event = (quantity: number) => namedEvent(externalId, { time: USED_AT, data: { path: PATH, quantity } });
    const waiting = event(40);
    await reportUsage(service, [waiting]);
    const { goBack } = await prepareToGoBack(service);
    const { id } = await put(externalId, FIELDS);
    const later = event(60);
    await reportUsage(service, [later]);
    await runMonth(service, '2026-10');
    const before = await describeCompany(id);
    expect(before.invoices).toMatchObject([{ total: '30.00' }]);
    await goBack();
    // For a second the service remembers whom it found by the external id.
    expect(await reportUsage(service, [later])).toMatchObject({ results: [{ unattributed: true }] });
    expect((await listUnattributed(service)).data).toMatchObject([{ externalId, events: 2, quantity: '100' }]);
    await adoptAll();
    await attributeNow(service);
    expect((await listUnattributed(service)).data).toEqual([]);
    await releaseCharges(service);
    const used = await read(
      `/operator/usage?companyId=${id}&from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z&granularity=month`,
    );
    expect(used.data).toMatchObject([{ quantity: '100' }]);
    await startRun(service, '2026-10');
    expect(await describeCompany(id)).toEqual(before);
    const next = await read(`/operator/companies/${id}/upcoming-invoice?period=2026-11`);
    expect(next.total).toBe('0.00');
  });
});

const ADDRESS = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', streetAddress: '12 St James Square' },
  ...{ zipCode: 'SW1Y 4JH', country: 'GB' },
};

describe('a company of which only a gateway knows', () => {
  it('is made again with its ids, and its invoice with it', async () => {
    const bare = await startChargeService();
    onTestFinished(() => bare.stop());
    const externalId = randomUUID();
    const ask = async (method: string, path: string, body?: object) =>
      (await bare.call(method, path, { token: bare.operatorKey, ...(body === undefined ? {} : { body }) })).body;
    const { goBack } = await backUpToHold(bare);
    const { id } = await ask('PUT', `/operator/companies/external:${externalId}`, FIELDS);
    const paid = await payOne(id, bare);
    await goBack();
    await findCases(bare);
    const { decided } = expectStatus(await adopt(bare), 200).body;
    expect(decided).toMatchObject([{ state: 'done' }]);
    expect(await ask('GET', `/operator/companies/external:${externalId}`)).toMatchObject({ id, externalId, name: '' });
    const { data: invoices } = await ask('GET', `/operator/invoices?companyId=${id}`);
    expect(invoices).toMatchObject([{ number: paid.number, status: 'Succeeded', total: '48.00' }]);
    await expectSoundBooks(bare);
  });
});
