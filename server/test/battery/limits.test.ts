import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import { expectStatus, saveAddress, signUpAdmin } from '../customers/actors.ts';
import { startTestService } from '../harness/service.ts';
import { BATTERY, credentialFor, fillPath, prepareWorld, splitRoute, type World } from './battery.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

const limited = Object.entries(BATTERY).flatMap(([route, { limit }]) =>
  limit === undefined || 'testedIn' in limit ? [] : [{ route, ...limit }],
);

// Security (Outgoing webhooks: signatures, secrets and tenants): Limits on the number of objects
// ([abuse](abuse.md#how-many-objects-there-can-be)) also hold for simultaneous requests, on every route that has one
test.each(limited)('$route: parallel requests create only as many as the limit allows', async (one) => {
  const { route, table, most, own = {}, owner: whose } = one;
  const { owner } = world.service.database;
  const actor = await signUpAdmin(world.service);
  const its: World = { ...world, admin: actor, addressId: await saveAddress(world.service, actor) };
  const companyId = whose === 'operator' ? OPERATOR_SCOPE : actor.companyId;
  const owned = whose === 'nobody' ? table : `${table} WHERE company_id = '${companyId}'`;
  const count = async () => {
    const [row] = await owner.unsafe(`SELECT count(*)::int AS count FROM ${owned}`);
    return Number(row?.count);
  };
  const create = async () => {
    const { method, url } = splitRoute(route);
    const token = credentialFor(its, BATTERY[route] ?? { access: 'public' });
    const body = BATTERY[route]?.body?.(its) ?? {};
    return world.service.call(method, fillPath(url, actor.companyId), {
      body,
      ...(token === undefined ? {} : { token }),
    });
  };

  if (table !== 'addresses') expectStatus(await create(), 201);
  const replaced = Object.entries({ id: 'gen_random_uuid()', ...own, number: 'number' }).map(
    ([column, value]) => `'${column}', ${value}`,
  );
  const [{ columns } = { columns: '' }] = await owner<{ columns: string }[]>`
    SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
    WHERE table_name = ${table} AND is_generated = 'NEVER'`;
  await owner.unsafe(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM (
       SELECT copy.* FROM (SELECT * FROM ${owned} LIMIT 1) AS one, generate_series(1, ${most - 3 - (await count())}) AS number,
         jsonb_populate_record(NULL::${table}, to_jsonb(one) || jsonb_build_object(${replaced.join()})) AS copy) AS copies`,
  );
  const answers = await Promise.all(Array.from({ length: 16 }, create));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect([made.length, refused.length, await count()]).toEqual([3, 13, most]);
  for (const { body } of refused) expect(body.error.code).toBe('limit_reached');
});
