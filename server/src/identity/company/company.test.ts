import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { logIn } from '../../../test/customers/accounts.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember, only } from '../../../test/identity/roles.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

it('the company is changed by fields, and shown to every member and in the profile', async () => {
  const admin = await signUpAdmin(service);
  const { token } = admin;
  const id = admin.companyId;
  const empty = { id, name: '', phone: '', address: '', describe: '', email: '' };
  expect((await service.call('GET', '/company', { token })).body).toEqual(empty);
  const body = { name: 'Analytical Engines', email: 'office@example.com' };
  const changed = expectStatus(await service.call('PUT', '/company', { token, body }), 200).body;
  expect(changed).toEqual({ ...empty, ...body });
  const unset = await service.call('PUT', '/company', { token, body: { email: '', phone: '+44 20 7946 0000' } });
  const now = { ...empty, name: body.name, phone: '+44 20 7946 0000' };
  expect(expectStatus(unset, 200).body).toEqual(now);

  const member = await addMember(service, admin, only('application.tickets', { all: false, view: true }));
  expect((await service.call('GET', '/company', { token: member.token })).body).toEqual(now);
  expectRefusal(await service.call('PUT', '/company', { token: member.token, body }), 403, 'forbidden');
  expect((await logIn(service, member)).body.data.user.company).toEqual(now);

  const { data } = (await service.call('GET', '/company/audit-log?action=company.updated', { token })).body;
  expect(data[1]).toMatchObject({
    target: { kind: 'company', id, name: body.name },
    changes: { before: { name: '', email: '' }, after: body },
  });
});

it.each([
  ['email', 'nobody'],
  ['name', 'x'.repeat(256)],
  ['phone', null],
])('a %s that is not one is 400', async (field, value) => {
  const { token } = await signUpAdmin(service);
  const answer = await service.call('PUT', '/company', { token, body: { [field]: value } });
  expectRefusal(answer, 400, 'invalid_request');
  expect(answer.body.error.details).toMatchObject([{ field }]);
});
