import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { dumpDatabase } from '../../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { providerBody, putProvider } from '../../../../test/identity/providers.ts';
import { createRole } from '../../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';
import { findProvidersWithoutDomains } from './providers.service.ts';

const CONFIGURED = {
  name: 'google',
  issuer: 'https://accounts.example.com',
  clientId: 'configured',
  clientSecret: 'Secret-of-the-environment',
  emailDomains: ['example.com'],
  companyId: null,
};

let service: TestService;
beforeAll(async () => {
  const signInAllowedHosts = ['login.internal:8443'];
  service = await startTestService({ signInProviders: [CONFIGURED], signInAllowedHosts });
});
afterAll(() => service?.stop());

const path = (name: string) => `/operator/sign-in-providers/${name}`;
const put = (name: string, body: object) => service.call('PUT', path(name), { token: service.operatorKey, body });
const remove = (name: string) => service.call('DELETE', path(name), { token: service.operatorKey });
const newName = () => `p-${randomUUID()}`;

async function list() {
  const answer = await service.call('GET', '/operator/sign-in-providers?perPage=1000', { token: service.operatorKey });
  return expectStatus(answer, 200).body;
}

async function find(name: string) {
  return (await list()).data.find((one: { name: string }) => one.name === name);
}

async function entriesAbout(name: string) {
  const answer = await service.call('GET', `/operator/audit-log?target=${name}`, { token: service.operatorKey });
  return expectStatus(answer, 200).body.data.map(({ action, changes }: { action: string; changes: object }) => ({
    action,
    changes,
  }));
}

async function expectProblem(body: object, field: string, name = newName()) {
  const answer = await put(name, body);
  expectRefusal(answer, 400, 'invalid_request');
  expect(answer.body.error.details).toMatchObject([{ field }]);
}

describe('a provider', () => {
  it('is set up, changed field by field, and deleted; its secret is never read', async () => {
    const name = newName();
    const shown = { name, issuer: 'https://login.example.com', clientId: 'paydesk', emailDomains: [] };
    const created = { ...shown, companyId: null, companyExternalId: null, roleId: null };
    expect(expectStatus(await put(name, providerBody()), 200).body).toEqual(created);
    expect(await find(name)).toEqual(created);
    const changed = { ...created, clientId: 'another', emailDomains: ['example.org'] };
    const answer = await put(name, { clientId: 'another', emailDomains: ['example.org'] });
    expect(expectStatus(answer, 200).body).toEqual(changed);
    expectStatus(await put(name, { clientSecret: 'The-next-secret' }), 200);
    expect(await find(name)).toEqual(changed);
    expect(expectStatus(await remove(name), 204).text).toBe('');
    expect(await find(name)).toBeUndefined();
    expectRefusal(await remove(name), 404, 'not_found');
    const { name: _name, companyExternalId: _external, ...fields } = created;
    expect(await entriesAbout(name)).toEqual([
      {
        action: 'sign_in_provider.deleted',
        changes: { before: { ...fields, clientId: 'another', emailDomains: ['example.org'] }, after: {} },
      },
      { action: 'sign_in_provider.updated', changes: null },
      {
        action: 'sign_in_provider.updated',
        changes: {
          before: { clientId: 'paydesk', emailDomains: [] },
          after: { clientId: 'another', emailDomains: ['example.org'] },
        },
      },
      { action: 'sign_in_provider.created', changes: { before: {}, after: fields } },
    ]);
  });

  it('of a company gives new members the role Viewer, or the one that it names, which is in use then', async () => {
    const admin = await signUpAdmin(service);
    const { companyId } = admin;
    const name = await putProvider(service, { companyId });
    expect(await find(name)).toMatchObject({ companyId, roleId: SYSTEM_ROLES.Viewer.id });
    const role = await createRole(service, admin);
    const answer = await put(name, { roleId: role.id });
    expect(expectStatus(answer, 200).body).toMatchObject({ companyId, roleId: role.id });
    expect(expectStatus(await put(name, { clientId: 'x' }), 200).body).toMatchObject({ roleId: role.id });
    const path = `/company/roles/${role.id}`;
    expectRefusal(await service.call('DELETE', path, { token: admin.token }), 409, 'role_in_use');
    const other = await signUpAdmin(service);
    const moved = expectStatus(await put(name, { companyId: other.companyId }), 200).body;
    expect(moved).toMatchObject({ companyId: other.companyId, roleId: SYSTEM_ROLES.Viewer.id });
    expect(expectStatus(await put(name, { companyId: null }), 200).body).toMatchObject({ roleId: null });
    expectStatus(await service.call('DELETE', path, { token: admin.token }), 204);
    const log = await service.call('GET', '/company/audit-log?action=sign_in_provider.created', { token: admin.token });
    expect(log.body.data).toMatchObject([{ target: { kind: 'sign_in_provider', id: name, name } }]);
  });

  it('is one of 10,000 at most', async () => {
    const name = await putProvider(service);
    const { owner } = service.database;
    await owner`
      INSERT INTO sign_in_providers (name, issuer, client_id, client_secret, email_domains)
      SELECT 'full-' || number, issuer, client_id, client_secret, email_domains
      FROM sign_in_providers, generate_series(1, 10000 - (SELECT count(*)::int FROM sign_in_providers)) AS number
      WHERE name = ${name}`;
    expectRefusal(await put(newName(), providerBody()), 409, 'limit_reached');
    expectStatus(await put(name, { clientId: 'another' }), 200);
    await owner`DELETE FROM sign_in_providers WHERE name LIKE 'full-%'`;
    expectStatus(await put(newName(), providerBody()), 200);
  });

  it('needs an issuer, a client and a secret; another issuer needs another secret', async () => {
    for (const field of ['issuer', 'clientId', 'clientSecret']) {
      await expectProblem(providerBody({ [field]: undefined }), field);
    }
    const name = await putProvider(service);
    await expectProblem({ issuer: 'https://elsewhere.example.com' }, 'clientSecret', name);
    expectStatus(await put(name, { issuer: 'https://login.example.com' }), 200);
    expectStatus(await put(name, { issuer: 'https://elsewhere.example.com', clientSecret: 'x' }), 200);
  });

  it.each([
    'login.example.com',
    'ftp://login.example.com',
    'javascript:alert(1)',
    'http://login.example.com',
    'https://user:password@login.example.com',
    'https://login.example.com?tenant=1',
    'https://login.example.com#x',
    'https://login.example.com/.well-known/openid-configuration',
    'https://10.0.0.1',
    'https://0xa9fea9fe',
    'https://[fd00::1]',
    'http://login.internal:8443',
    'https://login.internal.example.com:8443#',
  ])('has no issuer such as %s', async (issuer) => {
    await expectProblem(providerBody({ issuer }), 'issuer');
  });

  it.each([
    'https://login.example.com/realms/acme',
    'https://login.example.com:9443',
    'http://127.0.0.1:4000',
    'http://localhost:4000/oidc',
    'http://[::1]:4000',
    'https://login.internal:8443',
  ])('can have the issuer %s', async (issuer) => {
    expect(expectStatus(await put(newName(), providerBody({ issuer })), 200).body.issuer).toBe(issuer);
  });

  it('has no name, domain, company or role that there can’t be', async () => {
    const admin = await signUpAdmin(service);
    const other = await signUpAdmin(service);
    const foreign = await createRole(service, other);
    for (const name of ['-a', 'a%20b', 'a.b', 'ä', 'a'.repeat(64)]) await expectProblem(providerBody(), 'name', name);
    await expectProblem(providerBody({ emailDomains: ['@example.com'] }), 'emailDomains[0]');
    await expectProblem(providerBody({ companyId: randomUUID() }), 'companyId');
    await expectProblem(providerBody({ roleId: SYSTEM_ROLES.Viewer.id }), 'roleId');
    for (const roleId of [foreign.id, SYSTEM_ROLES.Customer.id, randomUUID()]) {
      await expectProblem(providerBody({ companyId: admin.companyId, roleId }), 'roleId');
    }
  });

  it('of a company needs the domains of its e-mails: 400 on emailDomains', async () => {
    const { companyId } = await signUpAdmin(service);
    await expectProblem(providerBody({ companyId, emailDomains: undefined }), 'emailDomains');
    await expectProblem(providerBody({ companyId, emailDomains: [] }), 'emailDomains');
    const name = await putProvider(service);
    await expectProblem({ companyId }, 'emailDomains', name);
    expectStatus(await put(name, { companyId, emailDomains: ['example.com'] }), 200);
    await expectProblem({ emailDomains: [] }, 'emailDomains', name);
    expectStatus(await put(name, { companyId: null, emailDomains: [] }), 200);
  });

  it('of a company that was set up without domains is found at the start', async () => {
    const { companyId } = await signUpAdmin(service);
    const names = [await putProvider(service, { companyId }), await putProvider(service)];
    for (const name of names) {
      await service.database.owner`UPDATE sign_in_providers SET email_domains = '[]' WHERE name = ${name}`;
    }
    const provider = { ...CONFIGURED, name: 'of-a-company', companyId };
    const signInProviders = [provider, { ...provider, name: 'open', emailDomains: [] }, CONFIGURED];
    expect(await findProvidersWithoutDomains(service.database.db, { signInProviders })).toEqual([names[0], 'open']);
    const hidden = [{ ...provider, name: names[0] ?? '' }];
    expect(await findProvidersWithoutDomains(service.database.db, { signInProviders: hidden })).toEqual([]);
  });

  it('that the environment sets up is listed last, and changed there alone', async () => {
    await putProvider(service);
    const { data, total } = await list();
    const { clientSecret: _secret, ...shown } = CONFIGURED;
    const listed = { ...shown, companyExternalId: null, roleId: null };
    expect(data.at(-1)).toEqual(listed);
    expect(data).toHaveLength(total);
    const read = async (query: string) =>
      (await service.call('GET', `/operator/sign-in-providers?${query}`, { token: service.operatorKey })).body;
    expect((await read(`page=${total}&perPage=1`)).data).toEqual([listed]);
    expect(await read(`page=${total + 1}&perPage=1`)).toMatchObject({ total, data: [] });
    expectRefusal(await put('google', providerBody()), 409, 'provider_of_environment');
    expectRefusal(await remove('google'), 409, 'provider_of_environment');
  });

  // Security (Accounts and permissions): The secret of a provider is in no answer, log or table
  it('has a secret that no answer, log or table shows', async () => {
    const clientSecret = 'Quite-a-secret-7f3a';
    const name = await putProvider(service, { clientSecret });
    await put(name, { clientSecret: 7 });
    const tables = (await dumpDatabase(service.database.owner)).map(({ text }) => text).join('\n');
    for (const text of [tables, service.logs(), JSON.stringify(await list())]) {
      expect(text).not.toContain(clientSecret);
      expect(text).not.toContain(Buffer.from(clientSecret).toString('hex'));
      expect(text).not.toContain(CONFIGURED.clientSecret);
    }
  });
});
