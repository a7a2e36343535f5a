import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { sendDuring } from '../../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { addEndpoint } from '../../../../test/outbox/webhooks.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

/** Sends a request while a transaction that deletes the endpoint is open. */
function sendWhileDeleted(endpointId: string, path: string, body?: object) {
  return sendDuring(
    service.database,
    (tx) => tx`DELETE FROM webhook_endpoints WHERE id = ${endpointId}`,
    () => service.call('POST', path, { token: admin.token, ...(body && { body }) }),
  );
}

describe('while an endpoint is being deleted', () => {
  it('no request fails because its event would go to the endpoint', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    const label = { name: 'Priority', description: 'Answer first', color: '#ff8800', userName: 'Ada' };
    expectStatus(await sendWhileDeleted(id, '/labels', label), 201);
    const { data } = expectStatus(await service.call('GET', '/labels', { token: admin.token }), 200).body;
    expect(data).toHaveLength(1);
  });

  it('a ping is 404', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    expectStatus(await sendWhileDeleted(id, `/payments/webhook-endpoints/${id}/test`), 404);
  });

  it('a replay is 404', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    const body = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };
    expectStatus(await sendWhileDeleted(id, `/payments/webhook-endpoints/${id}/replay`, body), 404);
  });
});
