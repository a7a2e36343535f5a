import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { hostLine, openSocket } from '../../../../test/harness/network/raw-http.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { openView } from '../../../../test/identity/operator-sessions.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const linesOf = (requestId: string) =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.includes(`"${requestId}"`))
    .map((line) => JSON.parse(line));

/** The lines about a request, once there are any. */
const awaitLines = (requestId: string) =>
  pollUntil(
    async () => linesOf(requestId),
    (lines) => lines.length > 0,
  );

describe('an access log line', () => {
  // Security (HTTP, and what all share): The log shows the operator's calls with the name of the key
  it('of the operator has the name of the key, and never the key', async () => {
    const headers = { 'x-request-id': 'operator-1' };
    expectStatus(await service.call('GET', '/operator/companies', { token: service.operatorKey, headers }), 200);
    expect(await awaitLines('operator-1')).toMatchObject([{ operatorKey: 'first', msg: 'answered', status: 200 }]);
    expect(service.logs()).not.toContain(service.operatorKey);
  });

  it('of a view has the company, and who views it', async () => {
    const headers = { 'x-request-id': 'view-1' };
    const { token } = await openView(service, admin.companyId);
    expectStatus(await service.call('GET', '/labels', { token, headers }), 200);
    const [line] = await awaitLines('view-1');
    expect(line).toMatchObject({ companyId: admin.companyId, viewId: expect.any(String), operatorKey: 'first' });
    expect(service.logs()).not.toContain(token);
  });

  it('of a user has the ids of the user and the company', async () => {
    const headers = { 'x-request-id': 'user-1' };
    expectStatus(await service.call('GET', '/labels', { token: admin.token, headers }), 200);
    const [line] = await awaitLines('user-1');
    expect(line).toMatchObject({ companyId: admin.companyId, userId: expect.any(String) });
    expect(line.operatorKey).toBeUndefined();
  });
});

describe('a client that disconnects', () => {
  const begin = async (requestId: string, framing: string) => {
    const socket = await openSocket(service.url);
    socket.write(
      `POST /labels HTTP/1.1\r\n${hostLine(service.url)}Authorization: Bearer ${admin.token}\r\nX-Request-Id: ${requestId}\r\n` +
        `Content-Type: application/json\r\n${framing}\r\n\r\n5\r\n{"nam`,
      // The service has begun the request when it sees the disconnection.
      () => socket.resetAndDestroy(),
    );
  };

  // Security (HTTP, and what all share): A client that disconnects is not logged as an internal error
  it.each([
    ['in the middle of its body', 'Content-Length: 100'],
    ['in the middle of a body in chunks', 'Transfer-Encoding: chunked'],
  ])('%s is not an error of ours: one line at info level', async (_when, framing) => {
    const requestId = `gone-${framing.slice(0, 3)}`;
    // Sometimes the disconnection is seen before the request, which then has no line.
    const lines = await pollUntil(
      async () => {
        if (linesOf(requestId).length === 0) await begin(requestId, framing);
        return linesOf(requestId);
      },
      (found) => found.length > 0,
    );
    expect(lines.map(({ level }) => level)).toEqual(lines.map(() => 30));
    expect(lines[0].msg).toBe('the client disconnected before its request was complete');
    expect(service.logs()).not.toContain('request failed');
  });
});
