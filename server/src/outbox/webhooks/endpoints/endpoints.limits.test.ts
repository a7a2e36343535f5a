import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { addEndpoint, callEndpoint, deliveriesOf } from '../../../../test/outbox/webhooks.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const url = 'https://hooks.example.com/paydesk';
const range = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };
const add = async (actor: Actor | null): Promise<string> => (await addEndpoint(service, actor, { url })).id;
const ping = (actor: Actor | null, id: string) => callEndpoint(service, actor, 'POST', `${id}/test`);

/** Repeats the request until it is refused. A minute may end meanwhile, which restarts the count. */
async function exhaust(ask: () => Promise<Answer>, limit: number): Promise<{ taken: number; refused: Answer }> {
  for (let taken = 0; taken <= 3 * limit; taken += 1) {
    const answer = await ask();
    if (answer.status === 429) return { taken, refused: answer };
    expect([200, 201], answer.text).toContain(answer.status);
  }
  throw new Error('never refused');
}

function expectLimited(answer: Answer, limit: number): void {
  expectRefusal(answer, 429, 'rate_limited');
  expect(answer.headers.get('ratelimit-policy')).toBe(`"requests";q=${limit};w=60`);
  expect(answer.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

// Security (Outgoing webhooks: signatures, secrets and tenants): Pings and replays are limited for each endpoint and owner, so that nobody
// is flooded through Paydesk
it.each([
  ['a company', () => admin],
  ['the operator', () => null],
])('pings of an endpoint of %s are limited to 10 a minute; refused ones are not sent', async (_whose, whose) => {
  const [one, beside] = [await add(whose()), await add(whose())];
  const { taken, refused } = await exhaust(() => ping(whose(), one), 10);
  expect(taken).toBeGreaterThanOrEqual(10);
  expectLimited(refused, 10);
  expect(await deliveriesOf(service, whose(), one)).toHaveLength(taken);
  expectStatus(await ping(whose(), beside), 201);
});

it('replays are limited too, and counted separately', async () => {
  const id = await add(admin);
  const replay = () => callEndpoint(service, admin, 'POST', `${id}/replay`, range);
  const { taken, refused } = await exhaust(replay, 10);
  expect(taken).toBeGreaterThanOrEqual(10);
  expectLimited(refused, 10);
  expectStatus(await ping(admin, id), 201);
});

it('pings of all endpoints of a company are limited to 60 a minute, which does not affect another company', async () => {
  const [many, other] = [await signUpAdmin(service), await signUpAdmin(service)];
  const ids = await Promise.all(Array.from({ length: 19 }, () => add(many)));
  const turns = Array.from({ length: 20 }, () => ids).flat();
  const { taken, refused } = await exhaust(() => ping(many, turns.pop() ?? ''), 60);
  expect(taken).toBeGreaterThanOrEqual(60);
  expectLimited(refused, 60);
  expectStatus(await ping(other, await add(other)), 201);
});
