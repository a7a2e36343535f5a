import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  service.call(method, `/operator${path}`, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });
const put = (id: string, body: object) => call('PUT', `/companies/${id}`, body);
const read = async (id: string) => expectStatus(await call('GET', `/companies/${id}`), 200).body;
const eventsOf = async (id: string) =>
  expectStatus(await call('GET', `/events?companyId=${id}&perPage=100`), 200).body.data.toReversed();
const logOf = async (id: string) =>
  expectStatus(await call('GET', `/audit-log?companyId=${id}&perPage=100`), 200).body.data.toReversed();
const counted = async () => (await call('GET', '/companies?perPage=1')).body.total;

const WHOLE = {
  name: 'Analytical Engines Ltd',
  phone: '+44 20 7946 0000',
  address: '12 St James’s Square',
  describe: 'Engines',
  email: 'office@example.com',
  metadata: { plan: 'pro', ' seats ': '5' },
};
const COMPANY_ROUTES = [
  ['POST', (externalId: string, body: object) => call('POST', '/companies', { name: 'New', ...body, externalId })],
  ['PUT', (externalId: string, body: object) => put(`external:${encodeURIComponent(externalId)}`, body)],
] as const;

describe('POST /operator/companies', () => {
  it('creates a company with all of its parts, which tells so by an event and an entry', async () => {
    const { body: company } = expectStatus(
      await call('POST', '/companies', {
        ...WHOLE,
        externalId: ' acme ',
        billingInformation: { country: 'GB', taxId: 'GB123456789' },
        billingSettings: { currency: 'GBP', netDays: 14 },
        addresses: [{ streetAddress: '12 St James’s Square' }, { country: 'GB' }],
      }),
      201,
    );
    expect(company).toMatchObject({ ...WHOLE, externalId: 'acme', disabled: false });
    const { id } = company;
    expect(await read('external:acme')).toMatchObject(company);
    expect((await call('GET', `/companies/${id}/billing-information`)).body).toMatchObject({ country: 'GB' });
    expect((await call('GET', `/companies/${id}/billing-settings`)).body).toMatchObject({
      currency: 'GBP',
      netDays: 14,
    });
    const events = await eventsOf(id);
    expect(events.map(({ type }: { type: string }) => type).sort()).toEqual([
      ...['address.created', 'address.created', 'billing_information.updated', 'company.created'],
    ]);
    const created = events.find(({ type }: { type: string }) => type === 'company.created');
    expect(created).toMatchObject({ companyId: id, companyExternalId: 'acme', data: company });
    const [entry, ...others] = await logOf(id);
    expect(entry).toMatchObject({
      action: 'company.created',
      actor: { kind: 'operator_key' },
      target: { kind: 'company', id },
      changes: { after: { externalId: 'acme', name: WHOLE.name } },
    });
    expect(others).toEqual([]);
    expect(JSON.stringify(entry)).not.toContain('metadata');
  });

  it('takes a null external id as absent, and needs a name', async () => {
    expect(expectStatus(await call('POST', '/companies', { name: 'A', externalId: null }), 201).body).toMatchObject({
      externalId: null,
      email: '',
    });
    for (const body of [{}, { name: '' }, { name: ' ' }, { name: null }])
      expect(expectStatus(await call('POST', '/companies', body), 400).body.error.details[0].field).toBe('name');
  });

  it('is 409 external_id_taken, and leaves nothing', async () => {
    expectStatus(await call('POST', '/companies', { name: 'A', externalId: 'taken' }), 201);
    const before = await counted();
    const { error } = expectStatus(await call('POST', '/companies', { name: 'B', externalId: 'taken' }), 409).body;
    expect(error).toMatchObject({ code: 'external_id_taken', details: [{ field: 'externalId' }] });
    expect(await counted()).toBe(before);
  });

  it('answers a part’s own 409 as it is, and leaves nothing', async () => {
    const settings = (numberPrefix: string) => ({ name: 'P', billingSettings: { numberPrefix } });
    expectStatus(await call('POST', '/companies', settings('PART-')), 201);
    const before = await counted();
    expect(expectStatus(await call('POST', '/companies', settings('PART-')), 409).body.error).toMatchObject({
      code: 'number_prefix_taken',
      details: [{ field: 'numberPrefix' }],
    });
    expect(await counted()).toBe(before);
  });

  it('has all companies of the operator without a member, each of which can be repeated by its key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const request = { token: service.operatorKey, body: { name: 'Once' }, headers };
    const [first, second] = [
      await service.call('POST', '/operator/companies', request),
      await service.call('POST', '/operator/companies', request),
    ];
    expect(expectStatus(second, 201).body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe.each(COMPANY_ROUTES)('%s of a company', (method, send) => {
  it.each([
    ['billingInformation.country', { billingInformation: { country: 'x'.repeat(256) } }],
    ['billingInformation.city', { billingInformation: { city: null } }],
    ['billingInformation.nothing', { billingInformation: { nothing: 'x' } }],
    ['billingInformation', { billingInformation: null }],
    ['billingSettings.currency', { billingSettings: { currency: 'XXX' } }],
    ['billingSettings.lateUsage.days', { billingSettings: { lateUsage: { kind: 'refuse' } } }],
    ['metadata.plan', { metadata: { plan: 1 } }],
    ['metadata.plan', { metadata: { plan: null } }],
    ['metadata.plan', { metadata: { plan: 'x'.repeat(501) } }],
    ['metadata.plan', { metadata: { plan: '4242 4242 4242 4242' } }],
    [`metadata.${'k'.repeat(41)}`, { metadata: { ['k'.repeat(41)]: 'x' } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, ''])) }],
    ['metadata', { metadata: null }],
    ['phone', { phone: null }],
    ['email', { email: 'nobody' }],
    ['unknown', { unknown: 1 }],
  ])('is 400 on %s: %j, and makes nothing', async (field, body) => {
    const [externalId, before] = [crypto.randomUUID(), await counted()];
    const { error } = expectStatus(await send(externalId, body), 400).body;
    expect(error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    expectStatus(await call('GET', `/companies/external:${externalId}`), 404);
    expect(await counted()).toBe(before);
  });

  it.each(['', ' ', 'x'.repeat(256), 'a\u0080b', 'a\u001fb', '4242424242424242'])(
    'is 400 on externalId for %j, and makes nothing',
    async (externalId) => {
      const before = await counted();
      expect(expectStatus(await send(externalId, {}), 400).body.error.details[0].field).toBe('externalId');
      expect(await counted()).toBe(before);
    },
  );

  it('takes metadata at its bounds', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}`.padStart(40, 'ä'), '😀'.repeat(500)]),
    );
    expect((await send(crypto.randomUUID(), { metadata })).body.metadata).toEqual(metadata);
  });

  it(`refuses ${method === 'POST' ? 'disabled' : 'addresses'}, which is no field of it`, async () => {
    const [field, value] = method === 'POST' ? ['disabled', true] : ['addresses', []];
    const refused = expectStatus(await send(crypto.randomUUID(), { [field]: value }), 400);
    expect(refused.body.error.details).toEqual([{ field, message: 'is not a field of this request' }]);
  });
});

describe('PUT /operator/companies/external:…', () => {
  it('makes one company of twenty at once, and all get it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        put('external:twenty', { name: 'Twenty', metadata: { last: `${index}` } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { data, total } = (await call('GET', '/companies?externalId=twenty')).body;
    expect([total, data[0].id]).toEqual([1, answers[0]?.body.id]);
    const types = (await eventsOf(data[0].id)).map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'company.created')).toHaveLength(1);
  });

  it('creates without a name, keeps absent fields, and replaces metadata whole', async () => {
    const created = expectStatus(await put('external:kept', {}), 201).body;
    expect(created).toMatchObject({ externalId: 'kept', name: '', email: '', metadata: {} });
    const changed = expectStatus(await put('external:kept', { ...WHOLE, externalId: ' kept ' }), 200).body;
    expect(changed).toMatchObject({ ...WHOLE, id: created.id, externalId: 'kept' });
    const again = expectStatus(await put('external:kept', { metadata: { plan: 'team' } }), 200).body;
    expect(again).toMatchObject({ ...WHOLE, metadata: { plan: 'team' } });
    expect((await put('external:kept', { email: '' })).body.email).toBe('');
  });

  it('changes billing information and settings field by field, each with its entry', async () => {
    const { id } = (
      await put('external:parts', { billingInformation: { city: 'London' }, billingSettings: { netDays: 7 } })
    ).body;
    const body = { billingInformation: { country: 'GB' }, billingSettings: { currency: 'GBP', taxRate: '20' } };
    expectStatus(await put('external:parts', body), 200);
    const path = `/companies/${id}`;
    expect((await call('GET', `${path}/billing-information`)).body).toMatchObject({ city: 'London', country: 'GB' });
    expect((await call('GET', `${path}/billing-settings`)).body).toMatchObject({ netDays: 7, currency: 'GBP' });
    expect((await call('GET', `${path}/billing-information/changes`)).body.data).toMatchObject([
      { before: { country: '' }, after: { country: 'GB' } },
    ]);
    expect((await logOf(id)).slice(1)).toMatchObject([
      { action: 'billing_information.updated', changes: { before: { country: '' }, after: { country: 'GB' } } },
      { action: 'billing_settings.updated', changes: { after: { currency: 'GBP', taxRate: '20' } } },
    ]);
    expect((await eventsOf(id)).map(({ type }: { type: string }) => type)).not.toContain('company.updated');
  });

  it('that changes nothing has neither an entry nor an event', async () => {
    const body = {
      ...WHOLE,
      billingInformation: { city: 'London' },
      billingSettings: { netDays: 7, taxRate: '20' },
    };
    const { id, updatedAt } = (await put('external:same', body)).body;
    const [events, entries] = [await eventsOf(id), await logOf(id)];
    const metadata = { ' seats ': '5', plan: 'pro' };
    expect(expectStatus(await put('external:same', { ...body, metadata }), 200).body.updatedAt).toBe(updatedAt);
    expectStatus(await put(id, {}), 200);
    expect([await eventsOf(id), await logOf(id)]).toEqual([events, entries]);
  });

  it('takes the id of its path alone: another one, or null, is 400', async () => {
    for (const externalId of ['other', 'PATH', null]) {
      const refused = expectStatus(await put('external:path', { externalId }), 400);
      expect(refused.body.error.details[0].field).toBe('externalId');
    }
    expectStatus(await call('GET', '/companies/external:path'), 404);
  });

  it('may disable the company that it creates', async () => {
    expect(expectStatus(await put('external:disabled', { disabled: true }), 201).body.disabled).toBe(true);
  });
});

describe('PUT /operator/companies/{uuid}', () => {
  it('changes only: 404 where there is no such company', async () => {
    expectStatus(await put(crypto.randomUUID(), WHOLE), 404);
    expectStatus(await put('nonsense', WHOLE), 404);
  });

  it('sets, changes and clears the external id, which holds at once', async () => {
    const { companyId } = await signUpAdmin(service);
    expect((await put(companyId, { externalId: 'one' })).body.externalId).toBe('one');
    expect((await read('external:one')).id).toBe(companyId);
    expect((await put(companyId, { externalId: 'two' })).body.externalId).toBe('two');
    expectStatus(await call('GET', '/companies/external:one'), 404);
    expect((await read('external:two')).id).toBe(companyId);
    expect((await put(companyId, { externalId: null })).body.externalId).toBeNull();
    expectStatus(await call('GET', '/companies/external:two'), 404);
    const updates = (await eventsOf(companyId)).filter(({ type }: { type: string }) => type === 'company.updated');
    expect(updates.map(({ data }: { data: { externalId: string } }) => data.externalId)).toEqual(['one', 'two', null]);
    expect((await logOf(companyId)).slice(-3)).toMatchObject([
      { action: 'company.updated', changes: { before: { externalId: null }, after: { externalId: 'one' } } },
      { changes: { before: { externalId: 'one' }, after: { externalId: 'two' } } },
      { changes: { before: { externalId: 'two' }, after: { externalId: null } } },
    ]);
  });

  it('is 409 external_id_taken for that of another, and changes nothing', async () => {
    const { companyId } = await signUpAdmin(service);
    expectStatus(await put('external:occupied', {}), 201);
    const refused = await put(companyId, { externalId: 'occupied', name: 'Other' });
    expect(expectStatus(refused, 409).body.error.code).toBe('external_id_taken');
    expect(await read(companyId)).toMatchObject({ externalId: null, name: '' });
  });
});

describe('what a member sees', () => {
  it('is neither metadata nor counts, at the company and in its log', async () => {
    const { companyId, token } = await signUpAdmin(service);
    expectStatus(await put(companyId, { metadata: { secret: 'margin' }, name: 'Seen' }), 200);
    const company = expectStatus(await service.call('GET', '/company', { token }), 200);
    expect(company.body).toEqual({ id: companyId, name: 'Seen', phone: '', address: '', describe: '', email: '' });
    const log = expectStatus(await service.call('GET', '/company/audit-log', { token }), 200);
    expect(log.text).not.toContain('margin');
    expect(log.body.data[0]).toMatchObject({ action: 'company.updated', actor: { kind: 'operator_key' } });
  });

  it('and whose change is sent to the operator as an event with the whole company', async () => {
    const { companyId, token } = await signUpAdmin(service);
    expectStatus(await put(companyId, { externalId: 'member', metadata: { plan: 'pro' } }), 200);
    expectStatus(await service.call('PUT', '/company', { token, body: { name: 'Renamed' } }), 200);
    expectStatus(await service.call('PUT', '/company', { token, body: { name: 'Renamed' } }), 200);
    const updates = (await eventsOf(companyId)).filter(({ type }: { type: string }) => type === 'company.updated');
    expect(updates).toHaveLength(2);
    expect(updates[1].data).toMatchObject({ name: 'Renamed', externalId: 'member', metadata: { plan: 'pro' } });
  });
});
