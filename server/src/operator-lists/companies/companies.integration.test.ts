import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { createClock } from '../../../test/customers/second-factors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { addStaff } from '../../../test/identity/staff.ts';

const clock = createClock();
let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
  ({ key } = await createKey(service, { name: 'Our backend', role: 'integration' }));
});
afterAll(() => service?.stop());

const as = (token: string, method: string, path: string, body?: object) =>
  service.call(method, `/operator${path}`, { token, ...(body === undefined ? {} : { body }) });
const newId = () => `external:${crypto.randomUUID()}`;

it('a key with the role integration creates companies and changes them with their billing', async () => {
  const id = newId();
  const made = await as(key, 'PUT', `/companies/${id}`, { name: 'Acme', billingSettings: { netDays: 14 } });
  const company = expectStatus(made, 201).body;
  expectStatus(await as(key, 'PUT', `/companies/${id}`, { name: 'Acme Robotics' }), 200);
  expectStatus(await as(key, 'PUT', `/companies/${id}/billing-information`, { country: 'DE' }), 200);
  expect((await as(key, 'GET', `/companies/${id}`)).body).toMatchObject({ id: company.id, name: 'Acme Robotics' });
  expect((await as(key, 'GET', '/companies?search=acme')).body.data).toMatchObject([{ id: company.id }]);
  const { data } = (await as(service.operatorKey, 'GET', `/audit-log?companyId=${company.id}`)).body;
  expect(data).toContainEqual(
    expect.objectContaining({
      action: 'company.updated',
      actor: expect.objectContaining({ kind: 'operator_key', name: 'Our backend' }),
    }),
  );
});

// Security (HTTP, and what all share): A key of the operator's product disables and enables no company
it('it cannot disable or enable a company, nor change or create one in the same request', async () => {
  const id = newId();
  const path = `/companies/${id}`;
  expectStatus(await as(key, 'PUT', path, { name: 'Acme' }), 201);
  for (const disabled of [true, false])
    expectRefusal(await as(key, 'PUT', path, { name: 'Other', disabled }), 403, 'forbidden');
  expect((await as(key, 'GET', path)).body).toMatchObject({ name: 'Acme', disabled: false });
  const unknown = `/companies/${newId()}`;
  expectRefusal(await as(key, 'PUT', unknown, { name: 'Other', disabled: false }), 403, 'forbidden');
  expectStatus(await as(key, 'GET', unknown), 404);
  expectStatus(await as(service.operatorKey, 'PUT', path, { disabled: true }), 200);
});

it('staff cannot have the role: 400 on role', async () => {
  const { userId } = await addStaff(service, clock, 'viewer');
  const email = `${crypto.randomUUID()}@example.com`;
  for (const answer of [
    await as(service.operatorKey, 'POST', '/staff', { email, role: 'integration' }),
    await as(service.operatorKey, 'PUT', `/staff/${userId}`, { role: 'integration' }),
  ]) {
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ field: 'role' }]);
  }
});
