import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { logIn } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, invoiceBody, issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import { giveExternalId } from '../../../../test/customers/external-ids.ts';
import { readToken } from '../../../../test/customers/tokens.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addEndpoint,
  type Consumer,
  deliver,
  makeDue,
  startConsumer,
  verify,
} from '../../../../test/outbox/webhooks.ts';
import { rememberExternalIds } from './external-ids.service.ts';

let service: TestService;
let consumer: Consumer;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

async function signUpAs(externalId: string): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await giveExternalId(service, admin.companyId, externalId);
  return admin;
}

const asOperator = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

describe('an external id in a path', () => {
  it('is decoded once: a slash may be written as it is encoded, and a percent sign is one', async () => {
    const [slash, percent] = [await signUpAs('a/b'), await signUpAs('a%2Fb')];
    const companyAt = async (id: string) =>
      expectStatus(await asOperator('GET', `/operator/companies/${id}/billing-settings`), 200).body.companyId;
    expect(await companyAt('external:a%2Fb')).toBe(slash.companyId);
    expect(await companyAt('external%3Aa%2Fb')).toBe(slash.companyId);
    expect(await companyAt('external:a%252Fb')).toBe(percent.companyId);
  });

  it('may have 255 characters of which each takes twelve in the path, and look like a UUID', async () => {
    const long = await signUpAs('𝒶'.repeat(255));
    const uuid = await signUpAs(crypto.randomUUID());
    for (const [id, admin] of [
      [encodeURIComponent('𝒶'.repeat(255)), long],
      [await externalIdOf(uuid), uuid],
    ] as const) {
      const { body } = await asOperator('GET', `/operator/companies/external:${id}/billing-settings`);
      expect(body.companyId).toBe(admin.companyId);
    }
    expectStatus(await asOperator('GET', `/operator/companies/${await externalIdOf(uuid)}/billing-settings`), 404);
  });

  it('is case sensitive, trimmed, and not normalized', async () => {
    await signUpAs('Ämil');
    const statusOf = async (id: string) =>
      (await asOperator('GET', `/operator/companies/${encodeURIComponent(id)}/billing-settings`)).status;
    expect(await statusOf('external:Ämil')).toBe(200);
    expect(await statusOf('external: \tÄmil\n')).toBe(200);
    expect(await statusOf('external:ämil')).toBe(404);
    expect(await statusOf(`external:${'Ämil'.normalize('NFD')}`)).toBe(404);
    expect(await statusOf('EXTERNAL:Ämil')).toBe(404);
  });
});

async function externalIdOf({ companyId }: Actor): Promise<string> {
  return (await asOperator('GET', `/operator/companies/${companyId}/billing-settings`)).body.companyExternalId;
}

describe('companyId of a body', () => {
  it('may be an external id, written as it is, with 264 characters', async () => {
    const externalId = `%2F${'x'.repeat(252)}`;
    const { companyId } = await signUpAs(externalId);
    for (const given of [`external:${externalId}`, ` external:${externalId} `]) {
      const body = invoiceBody(given);
      const invoice = expectStatus(await asOperator('POST', '/operator/invoices', body), 201).body;
      expect(invoice).toMatchObject({ companyId, companyExternalId: externalId });
    }
  });

  it.each([['nobody'], [''], [' '], ['x'.repeat(256)], ['a\u0080b'], ['4242424242424242']])(
    'is 400 where nobody has the external id, or it is none: %j',
    async (externalId) => {
      const given = { companyId: `external:${externalId}` };
      const refused = await asOperator('POST', '/operator/invoices', { ...invoiceBody(crypto.randomUUID()), ...given });
      expect(expectStatus(refused, 400).body.error.details).toContainEqual({
        field: 'companyId',
        message: 'must be the id of a company',
      });
    },
  );

  it('is that of prices, providers and replacements too', async () => {
    const { companyId } = await signUpAs('priced');
    const price = {
      path: '/v1',
      title: 'One',
      currency: 'USD',
      model: 'flat',
      unitAmount: '1',
      effectiveFrom: '2099-01',
    };
    const made = await asOperator('POST', '/operator/prices', { ...price, companyId: 'external:priced' });
    expect(expectStatus(made, 201).body).toMatchObject({ companyId, companyExternalId: 'priced' });
    const provider = {
      issuer: 'https://login.example.com',
      clientId: 'p',
      clientSecret: 's',
      companyId: 'external:priced',
      emailDomains: ['priced.example'],
    };
    const put = await asOperator('PUT', '/operator/sign-in-providers/priced', provider);
    expect(expectStatus(put, 200).body).toMatchObject({ companyId, companyExternalId: 'priced' });
    const companies = [{ companyId: crypto.randomUUID(), newCompanyId: 'external:nobody' }];
    const adopt = await asOperator('POST', '/operator/recovery/adopt', { companies });
    expect(adopt.status).toBe(400);
    const known = [{ companyId: crypto.randomUUID(), newCompanyId: 'external:priced' }];
    expectStatus(await asOperator('POST', '/operator/recovery/adopt', { companies: known }), 200);
  });
});

describe('usage', () => {
  it('is reported by external ids and UUIDs alike, and an event is a duplicate by either', async () => {
    const { companyId } = await signUpAs('metered');
    const [one, two] = [usageEvent(companyId), usageEvent('external: metered ')];
    expect(await reportUsage(service, [one, two])).toMatchObject({ accepted: 2 });
    const again = [
      { ...one, subject: 'external:metered' },
      { ...two, subject: companyId.toUpperCase() },
    ];
    expect(await reportUsage(service, again)).toMatchObject({ accepted: 0, duplicate: 2 });
    expect(
      expectStatus(await asOperator('POST', '/operator/usage', { ...one, subject: 'external:metered' }), 200).body,
    ).toMatchObject({
      duplicate: 1,
    });
    const path = `/operator/usage?companyId=external:metered&from=${one.time.slice(0, 10)}`;
    const { data } = expectStatus(await asOperator('GET', path), 200).body;
    expect(data).toMatchObject([{ quantity: '2' }]);
  });

  it.each(['external:', 'external: ', `external:${'x'.repeat(256)}`, 'external:a\u009fb', 'metered'])(
    'with the subject %j is invalid in a batch, and alone 400 on subject',
    async (subject) => {
      const event = usageEvent(subject);
      const { results } = await reportUsage(service, [event]);
      expect(results).toMatchObject([{ status: 'rejected', reason: 'invalid_event' }]);
      const refused = expectStatus(await asOperator('POST', '/operator/usage', event), 400);
      expect(refused.body.error.details[0].field).toBe('subject');
    },
  );
});

describe('the external id beside the id', () => {
  it('is in an access token only where there is one', async () => {
    const [admin, without] = [await signUpAs('token'), await signUpAdmin(service)];
    const { data } = expectStatus(await logIn(service, { email: admin.email }), 200).body;
    expect(readToken(data.access_token).claims).toMatchObject({
      company_id: admin.companyId,
      company_external_id: 'token',
    });
    const body = { refresh_token: data.refresh_token };
    const refreshed = expectStatus(await service.call('POST', '/auth/refresh', { body }), 200).body.data;
    expect(readToken(refreshed.access_token).claims.company_external_id).toBe('token');
    expect(readToken(without.token).claims).not.toHaveProperty('company_external_id');
  });

  it('is in events, in the body that is sent and in its data, as it is now', async () => {
    const admin = await signUpAs('before');
    const endpoint = await addEndpoint(service, null, { url: consumer.url('/'), types: ['invoice.created'] });
    consumer.answer('/', (response) => response.writeHead(503).end());
    await issueInvoice(service, admin.companyId, { metadata: { companyId: admin.companyId } });
    await deliver(service);
    await giveExternalId(service, admin.companyId, 'after');
    await makeDue(service, endpoint.id);
    await deliver(service);
    const [first, second] = consumer.received('/').map((received) => verify(endpoint.secret, received));
    const data = { companyId: admin.companyId, metadata: { companyId: admin.companyId } };
    expect(first).toMatchObject({ companyExternalId: 'before', data: { ...data, companyExternalId: 'before' } });
    expect(second).toEqual({
      ...first,
      companyExternalId: 'after',
      data: { ...first?.data, companyExternalId: 'after' },
    });

    const list = await asOperator('GET', `/operator/events?companyId=external:after&type=invoice.created`);
    expect(expectStatus(list, 200).body.data).toMatchObject([{ companyExternalId: 'after', data: second?.data }]);
  });

  it('is a column of files, which no spreadsheet computes', async () => {
    const admin = await signUpAs('=1+1');
    await issueInvoice(service, admin.companyId);
    const ledger = (await asOperator('GET', '/operator/ledger.csv?companyId=external:%3D1%2B1')).text.split('\r\n');
    expect(ledger[0]).toMatch(/^createdAt,companyId,companyExternalId,/);
    expect(ledger[1]).toContain(`,${admin.companyId},'=1+1,`);
    const log = (await asOperator('GET', '/operator/audit-log.csv?companyId=external:%3D1%2B1')).text.split('\r\n');
    expect(log[0]).toMatch(/^companyId,companyExternalId,/);
    expect(log[1]).toMatch(new RegExp(`^${admin.companyId},'=1\\+1,`));
  });
});

describe('another process', () => {
  it('finds a new id at once, and a changed or cleared one within a second', async () => {
    const elsewhere = rememberExternalIds(service.database.db);
    const find = async (externalId: string) => (await elsewhere.find([externalId])).get(externalId);
    expect(await find('moved')).toBeUndefined();
    const admin = await signUpAs('moved');
    expect(await find('moved')).toBe(admin.companyId);
    await giveExternalId(service, admin.companyId, 'moved on');
    expect(await find('moved')).toBe(admin.companyId);
    const deadline = Date.now() + 20_000;
    while ((await find('moved')) !== undefined && Date.now() < deadline) await delay(50);
    expect(await find('moved')).toBeUndefined();
    expect(await find('moved on')).toBe(admin.companyId);
  });

  it('does not remember what it read while the id changed', async () => {
    const here = rememberExternalIds(service.database.db);
    const admin = await signUpAs('racing');
    const reading = here.find(['racing']);
    here.forget(admin.companyId);
    await reading;
    await giveExternalId(service, admin.companyId, 'raced');
    expect((await here.find(['racing'])).size).toBe(0);
  });
});
