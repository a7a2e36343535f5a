import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { setDisabled } from '../../../../test/customers/disabled.ts';
import { beginRequest } from '../../../../test/harness/network/slow-body.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createApiKey } from '../../../../test/identity/api-keys.ts';
import { addMember } from '../../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../permissions.ts';

let service: TestService;
let admin: Actor;
let member: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
  member = await addMember(service, admin, 'Admin');
});

const label = { name: 'Urgent', description: 'Any', color: '#ff8800', userName: 'Ada' };
const asAdmin = async (method: string, path: string, body?: object) =>
  service.call(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) });

/** Lets a caller begin a request, then makes a change, and then lets the caller send the body. */
async function changeBeforeBody(token: string, change: () => Promise<unknown>) {
  expectStatus(await service.call('GET', '/labels', { token }), 200);
  const sendBody = await beginRequest(`${service.url}/labels`, 'POST', { token, body: label });
  await change();
  return sendBody();
}

// Security (Accounts and permissions): Who is removed, demoted or logged out between the headers of a request and its body changes nothing
it.each([
  ['is removed', 401, 'unauthenticated', async () => asAdmin('DELETE', `/company/members/${member.userId}`)],
  [
    'gets another role',
    403,
    'forbidden',
    async () => asAdmin('PUT', `/company/members/${member.userId}`, { role_id: SYSTEM_ROLES.Viewer.id }),
  ],
  ['logs out', 401, 'unauthenticated', async () => service.call('POST', '/auth/logout', { token: member.token })],
  [
    'is in a company that is disabled',
    403,
    'company_disabled',
    async () => setDisabled(service, admin.companyId, true),
  ],
])(
  'a member who %s between the headers of a request and its body changes nothing: %i',
  async (_how, status, code, change) => {
    expect(await changeBeforeBody(member.token, change)).toEqual({ status, code });
    expectStatus(await setDisabled(service, admin.companyId, false).then(() => asAdmin('GET', '/labels')), 200);
    expect((await asAdmin('GET', '/labels')).body.total).toBe(0);
  },
);

it('so does an API key that is deleted meanwhile: 401', async () => {
  const { id, key } = await createApiKey(service, admin);
  const answer = await changeBeforeBody(key, () => asAdmin('DELETE', `/company/api-keys/${id}`));
  expect(answer).toEqual({ status: 401, code: 'unauthenticated' });
});

it('a caller who may still call the route is answered, however late the body comes', async () => {
  const answer = await changeBeforeBody(member.token, () => asAdmin('PUT', '/company', { name: 'Analytical Engines' }));
  expect(answer.status).toBe(201);
});
