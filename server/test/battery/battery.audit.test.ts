import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import { startTestService } from '../harness/service.ts';
import {
  BATTERY,
  credentialFor,
  fillPath,
  makePathIds,
  prepareWorld,
  refuseFailure,
  routesWhere,
  splitRoute,
  type World,
} from './battery.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

/** Whose log each entry is in, by the entry's id. */
async function readOwners(): Promise<Map<string, string>> {
  const rows = await world.service.database.owner<{ id: string; owner: string }[]>`
    SELECT id, company_id AS owner FROM audit_contents`;
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

const operationOf = (route: string) => world.service.operations.find(({ method, url }) => `${method} ${url}` === route);

/** Sends the right request of a route. @returns its status, and whose logs the entries are in that it has left */
async function send(route: string): Promise<{ status: number; owners: string[] }> {
  const entry = BATTERY[route];
  if (entry === undefined) throw new Error(`${route} is not in the battery`);
  const { method, url } = splitRoute(route);
  const token = credentialFor(world, entry);
  const path = fillPath(url, ...(await makePathIds(world, entry)));
  await entry.prepare?.(world);
  const body = entry.body?.(world);
  const request = { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) };
  const before = await readOwners();
  const answer = await world.service.call(method, entry.query === undefined ? path : `${path}?${entry.query}`, request);
  const { status } = refuseFailure(route, answer);
  const owners = [...(await readOwners())].flatMap(([id, owner]) => (before.has(id) ? [] : [owner]));
  return { status, owners };
}

test('every route that changes something says what the audit log gets, and no other route does', () => {
  for (const { method, url, audit } of world.service.operations)
    expect(audit !== undefined, `${method} ${url}`).toBe(method !== 'GET');
});

const changes = routesWhere((_entry, method) => method !== 'GET').map(([route]) => route);

// Logging out comes last: it ends the session of all others.
const inOrder = [...changes.filter((route) => route !== 'POST /auth/logout'), 'POST /auth/logout'];

// Security (Accounts and permissions): Each change leaves exactly its entry in the audit log, in the same transaction; reading leaves none
test.each(inOrder)('%s leaves exactly the entry that it should', async (route) => {
  const audit = operationOf(route)?.audit;
  const { status, owners } = await send(route);
  const { refusal, changesNothing } = BATTERY[route] ?? {};
  if (refusal !== undefined) {
    expect([status, owners.length]).toEqual([refusal.status, refusal.isFailedLogin ? 1 : 0]);
    return;
  }
  const isRecorded = audit !== undefined && !('unrecorded' in audit) && changesNothing === undefined;
  if (changesNothing === undefined) expect(status).toBeLessThan(300);
  expect(owners).toHaveLength(isRecorded ? 1 : 0);
  if (audit !== undefined && 'audience' in audit && audit.audience === 'operator')
    expect(owners).toEqual([OPERATOR_SCOPE]);
});

test('reading leaves no entry', async () => {
  const reader = await prepareWorld(world.service);
  world = { ...reader, service: world.service };
  const before = await readOwners();
  const reads = routesWhere(({ names }, method) => method === 'GET' && names === undefined);
  for (const [route] of reads) await send(route);
  expect(await readOwners()).toEqual(before);
});
