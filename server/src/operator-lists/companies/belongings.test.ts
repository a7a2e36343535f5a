import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

let service: TestService;
let admin: Actor;
let companyId: string;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  companyId = admin.companyId;
  await saveCard(service, await signUpAdmin(service));
});
afterAll(() => service?.stop());

const of = async (things: string, id = companyId) =>
  service.call('GET', `/operator/companies/${id}/${things}`, { token: service.operatorKey });
const own = async (path: string) => expectStatus(await service.call('GET', path, { token: admin.token }), 200).body;
const create = async (path: string, body: object) =>
  expectStatus(await service.call('POST', path, { token: admin.token, body }), 201).body;

it('the operator reads the cards and addresses of a company as the company does', async () => {
  await saveCard(service, admin);
  for (const things of ['cards', 'addresses', 'paypal-accounts']) {
    const { body } = expectStatus(await of(things), 200);
    const list = await own(`/payments/${things}`);
    const shown = list.map(({ address, ...one }: { address?: object }) => ({
      ...(address === undefined ? {} : { address: { ...address, companyExternalId: null } }),
      ...one,
      companyExternalId: null,
    }));
    expect(body).toEqual(shown);
  }
  expect((await of('cards')).body).toHaveLength(1);
});

it('the operator reads the members of a company in pages, with their roles', async () => {
  const viewer = await addMember(service, admin, 'Viewer');
  const { body } = expectStatus(await of('members'), 200);
  expect(body).toMatchObject({ total: 2, page: 1, perPage: 10 });
  const { data } = await own('/company/members');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
  const [member] = body.data;
  expect(member).toEqual({
    ...{ id: viewer.userId, firstName: 'Ada', lastName: 'Lovelace', email: viewer.email },
    ...{ role: { id: expect.any(String), name: expect.any(String) }, emailVerified: false, twoFactor: false },
    createdAt: data[0].created_at,
  });
  expect((await of('members?perPage=1&page=2')).body).toMatchObject({ total: 2, data: [{ id: admin.userId }] });
});

// Security (HTTP, and what all share): The operator reads a company's API keys and webhook endpoints without their secrets
it('the operator reads API keys and webhook endpoints, and no secret of them', async () => {
  const { key, id } = await create('/company/api-keys', {
    name: 'Tickets',
    permission: SYSTEM_ROLES.Viewer.permission,
  });
  const { secret, ...endpoint } = await create('/payments/webhook-endpoints', { url: 'https://hooks.example.com/a' });
  const keys = expectStatus(await of('api-keys'), 200);
  expect(keys.body).toMatchObject({ total: 1, data: [{ id, name: 'Tickets', allowedIps: [], expiresAt: null }] });
  const endpoints = expectStatus(await of('webhook-endpoints'), 200);
  expect(endpoints.body).toEqual({ data: [endpoint] });
  for (const { text } of [keys, endpoints]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(secret);
  }
});

it('an unknown company is 404, and an external id is taken', async () => {
  const body = { externalId: 'acme' };
  await service.call('PUT', `/operator/companies/${companyId}`, { token: service.operatorKey, body });
  for (const things of ['members', 'api-keys', 'webhook-endpoints', 'addresses', 'cards', 'paypal-accounts']) {
    expectStatus(await of(things, randomUUID()), 404);
    expectStatus(await of(things, 'external:acme'), 200);
  }
});
