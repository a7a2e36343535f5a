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

const UNIQUE_INVITATION = { email_key: 'gen_random_uuid()', token_hash: 'gen_random_uuid()' };

type Limit = {
  table: string;
  most: number;
  own?: Record<string, string>;
  /** Whose rows they are, if not the company's: the operator's, in a table with companies or in one without. */
  owner?: 'operator' | 'nobody';
};

/**
 * For each limited route: how many rows an owner may have, their table, and the values that must differ between rows.
 */
const LIMITS: Record<string, Limit> = {
  'POST /payments/addresses': { table: 'addresses', most: 1_000 },
  'POST /payments/cards': { table: 'cards', most: 1_000, own: { gateway_token: 'gen_random_uuid()' } },
  'POST /payments/paypal-accounts': {
    table: 'paypal_accounts',
    most: 100,
    own: { gateway_token: 'gen_random_uuid()' },
  },
  'POST /payments/usage-thresholds': { table: 'usage_thresholds', most: 20 },
  'POST /operator/companies/:company_id/usage-thresholds': { table: 'usage_thresholds', most: 20 },
  'POST /operator/companies/:company_id/items': {
    table: 'items',
    most: 1_000,
  },
  'POST /payments/webhook-endpoints': { table: 'webhook_endpoints', most: 20 },
  'POST /operator/webhook-endpoints': { table: 'webhook_endpoints', most: 20, owner: 'operator' },
  'POST /company/api-keys': { table: 'api_keys', most: 10_000, own: { key_hash: 'gen_random_uuid()' } },
  'POST /company/roles': { table: 'roles', most: 1_000, own: { name: 'gen_random_uuid()' } },
  'POST /company/invitations': { table: 'invitations', most: 1_000, own: UNIQUE_INVITATION },
  'POST /operator/staff': { table: 'staff_invitations', most: 1_000, own: UNIQUE_INVITATION, owner: 'nobody' },
  'POST /operator/keys': {
    table: 'operator_keys',
    most: 1_000,
    own: { key_hash: 'gen_random_uuid()', is_first: 'false' },
    owner: 'nobody',
  },
};

test('every route with a limit is tested here', () => {
  // A passkey needs a challenge of its own, and a PUT creates a provider: their own tests have the limits.
  const elsewhere = ['/auth/passkeys', '/operator/sign-in-providers/:name'];
  const limited = world.service.operations.filter(
    ({ errors, url }) => errors.includes('limit_reached') && !elsewhere.includes(url),
  );
  expect(limited.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(Object.keys(LIMITS).sort());
});

test.each(Object.keys(LIMITS))('%s: parallel requests create only as many as the limit allows', async (route) => {
  const { table, most, own = {}, owner: whose } = LIMITS[route] ?? { table: '', most: 0 };
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
