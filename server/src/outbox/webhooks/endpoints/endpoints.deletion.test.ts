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

/** Sends a request while the deletion of an endpoint has begun and not ended. */
function sendWhileDeleted(endpointId: string, path: string, body?: object) {
  return sendDuring(
    service.database,
    (tx) => tx`DELETE FROM webhook_endpoints WHERE id = ${endpointId}`,
    () => service.call('POST', path, { token: admin.token, ...(body && { body }) }),
  );
}

describe('an endpoint that is deleted meanwhile', () => {
  it('fails no request whose event it would have got', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    const label = { name: 'Priority', description: 'Answer first', color: '#ff8800', userName: 'Ada' };
    expectStatus(await sendWhileDeleted(id, '/labels', label), 201);
    const { data } = expectStatus(await service.call('GET', '/labels', { token: admin.token }), 200).body;
    expect(data).toHaveLength(1);
  });

  it('is 404 for a ping', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    expectStatus(await sendWhileDeleted(id, `/payments/webhook-endpoints/${id}/test`), 404);
  });

  it('is 404 for a replay', async () => {
    const { id } = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    const body = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };
    expectStatus(await sendWhileDeleted(id, `/payments/webhook-endpoints/${id}/replay`, body), 404);
  });
});
