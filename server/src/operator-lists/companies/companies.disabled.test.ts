import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn } from '../../../test/customers/accounts.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const label = () => ({
  name: `Label ${crypto.randomUUID()}`,
  description: 'Anything',
  color: '#ff8800',
  userName: 'Grace',
});

it('a disabled company is one whose members log in and read, until it is enabled', async () => {
  const admin = await signUpAdmin(service);
  expectStatus(await service.call('POST', '/labels', { token: admin.token, body: label() }), 201);
  const disabled = await setDisabled(service, admin.companyId, true);
  expect(disabled).toMatchObject({ id: admin.companyId, email: admin.email, disabled: true });

  const { data } = expectStatus(await logIn(service, { email: admin.email }), 200).body;
  for (const token of [admin.token, data.access_token]) {
    expectStatus(await service.call('GET', '/labels', { token }), 200);
    const refused = await service.call('POST', '/labels', { token, body: label() });
    expect(expectStatus(refused, 403).body.error.code).toBe('company_disabled');
  }
  const body = { refresh_token: admin.refreshToken };
  expectStatus(await service.call('POST', '/auth/refresh', { body }), 200);

  expect(await setDisabled(service, admin.companyId, false)).toMatchObject({ disabled: false });
  expectStatus(await service.call('POST', '/labels', { token: admin.token, body: label() }), 201);
});

it('an empty body changes nothing, and a company that there is not is 404', async () => {
  const admin = await signUpAdmin(service);
  await setDisabled(service, admin.companyId, true);
  const token = service.operatorKey;
  const same = await service.call('PUT', `/operator/companies/${admin.companyId}`, { token, body: {} });
  expect(expectStatus(same, 200).body.disabled).toBe(true);
  const unknown = `/operator/companies/${crypto.randomUUID()}`;
  expectStatus(await service.call('PUT', unknown, { token, body: { disabled: true } }), 404);
  const list = await service.call('GET', `/operator/companies?email=${admin.email}`, { token });
  expect(expectStatus(list, 200).body.data).toMatchObject([{ id: admin.companyId, disabled: true }]);
});

it('the audit log of the company says who disabled it', async () => {
  const admin = await signUpAdmin(service);
  await setDisabled(service, admin.companyId, true);
  const path = '/company/audit-log?action=company.updated';
  const { data } = expectStatus(await service.call('GET', path, { token: admin.token }), 200).body;
  expect(data).toMatchObject([
    {
      actor: { kind: 'operator_key', name: 'first' },
      target: { kind: 'company', id: admin.companyId },
      changes: { before: { disabled: false }, after: { disabled: true } },
    },
  ]);
});
