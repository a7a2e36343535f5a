import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, PASSWORD, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { saveAccount, uniqueSetupToken } from '../../../test/payments/paypal-accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => service.sandbox.clearFaults());
afterAll(async () => service.stop());

const PATH = '/payments/paypal-accounts';
const create = ({ token }: Actor, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', PATH, { token, body, headers });
const change = ({ token }: Actor, id: string, body: object) => service.call('PUT', `${PATH}/${id}`, { token, body });
const remove = ({ token }: Actor, id: string) => service.call('DELETE', `${PATH}/${id}`, { token });
const list = async ({ token }: Actor) => expectStatus(await service.call('GET', PATH, { token }), 200).body;
const rowsOf = ({ companyId }: Actor) =>
  service.database.owner`SELECT * FROM paypal_accounts WHERE company_id = ${companyId}`;

async function eventsOf({ companyId }: Actor): Promise<{ type: string; data: object }[]> {
  const path = `/operator/events?companyId=${companyId}&perPage=100`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.toReversed().filter(({ type }: { type: string }) => type.startsWith('paypal_account.'));
}

describe('an account', () => {
  it('is saved, listed newest first, and reveals no secret', async () => {
    const admin = await signUpAdmin(service);
    const { status, body: account } = await create(admin, { setupToken: uniqueSetupToken() });
    expect(status).toBe(201);
    expect(account).toEqual({
      id: expect.any(String),
      companyId: admin.companyId,
      method: 'paypal',
      email: expect.stringMatching(/^[^@\s]+@example\.com$/),
      isDefault: false,
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: account.createdAt,
    });
    const second = await saveAccount(service, admin, { isDefault: true });
    expect(await list(admin)).toMatchObject([{ id: second, isDefault: true }, account]);
    const { accounts } = await service.sandbox.readLedger();
    expect(accounts.map(({ token }) => token)).toContain((await rowsOf(admin))[0]?.gateway_token);
  });

  it('does not change the cards, the state of the user or the billing information', async () => {
    const admin = await signUpAdmin(service);
    await saveAccount(service, admin, { isDefault: true });
    const { token } = admin;
    expect((await service.call('GET', '/payments/cards', { token })).body).toEqual([]);
    const information = await service.call('GET', '/payments/billing-information', { token });
    expect(information.body).toMatchObject({ paymentId: null, paymentMethod: '' });
    const login = { email: admin.email, password: PASSWORD };
    const { user } = expectStatus(await service.call('POST', '/auth/local', { body: login }), 200).body.data;
    expect(user.state).toBe('CARD_NOT_FOUND');
    const cardId = await saveCard(service, admin, { isDefault: true });
    expect(await list(admin)).toMatchObject([{ isDefault: true }]);
    const after = await service.call('GET', '/payments/billing-information', { token });
    expect(after.body).toMatchObject({ paymentId: cardId, paymentMethod: 'Card' });
  });

  it('can be changed, and deleted once; another company finds neither', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const id = await saveAccount(service, admin);
    expect(expectStatus(await change(admin, id, { isDefault: true }), 200).body).toMatchObject({ id, isDefault: true });
    expectStatus(await change(other, id, { isDefault: true }), 404);
    expectStatus(await remove(other, id), 404);
    expect(await list(other)).toEqual([]);
    expectStatus(await remove(admin, id), 204);
    expect(await list(admin)).toEqual([]);
    for (const gone of [id, randomUUID(), 'x']) {
      expectStatus(await remove(admin, gone), 404);
      expectStatus(await change(admin, gone, { isDefault: true }), 404);
    }
  });

  it.each(['', ' ', 'a b', ' padded', 'ünicode', 'x'.repeat(256), 7, null])(
    'is not saved with the setup token %j: 400, which does not repeat it',
    async (setupToken) => {
      const admin = await signUpAdmin(service);
      const answer = expectStatus(await create(admin, { setupToken }), 400);
      expect(answer.body.error.details).toMatchObject([{ field: 'setupToken' }]);
      if (typeof setupToken === 'string' && setupToken.trim() !== '') expect(answer.text).not.toContain(setupToken);
    },
  );

  it('is saved once for a setup token, also with simultaneous requests', async () => {
    const admin = await signUpAdmin(service);
    const setupToken = uniqueSetupToken();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(admin, { setupToken })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const [account] = await list(admin);
    for (const { body } of answers) expect(body).toEqual(account);
    const promoted = expectStatus(await create(admin, { setupToken, isDefault: true }), 201).body;
    expect(promoted).toMatchObject({ id: account.id, isDefault: true });
    expect(expectStatus(await create(admin, { setupToken }), 201).body).toEqual(promoted);
    expect(await list(admin)).toEqual([promoted]);
    const events = await eventsOf(admin);
    expect(events.map(({ type }) => type)).toEqual(['paypal_account.created', 'paypal_account.updated']);
    expectStatus(await remove(admin, account.id), 204);
    expect(expectStatus(await create(admin, { setupToken }), 201).body.id).not.toBe(account.id);
  });

  it('is one of at most a hundred', async () => {
    const admin = await signUpAdmin(service);
    await service.database.owner`
      INSERT INTO paypal_accounts (company_id, id, email, gateway, gateway_token)
      SELECT ${admin.companyId}, gen_random_uuid(), 'ada@example.com', 'sandbox', 'account_' || number
      FROM generate_series(1, 100) AS number`;
    const answer = expectStatus(await create(admin, { setupToken: uniqueSetupToken() }), 409);
    expect(answer.body.error.code).toBe('limit_reached');
    expect(await list(admin)).toHaveLength(100);
  });

  it('is recorded in events, as the API shows it', async () => {
    const admin = await signUpAdmin(service);
    const first = await saveAccount(service, admin, { isDefault: true });
    const second = await saveAccount(service, admin, { isDefault: true });
    expectStatus(await change(admin, first, { isDefault: false }), 200);
    expectStatus(await remove(admin, second), 204);
    const events = await eventsOf(admin);
    expect(events.map(({ type, data }) => [type, data])).toMatchObject([
      ['paypal_account.created', { id: first, method: 'paypal', isDefault: true }],
      ['paypal_account.updated', { id: first, isDefault: false }],
      ['paypal_account.created', { id: second, isDefault: true }],
      ['paypal_account.updated', { id: first, isDefault: false }],
      ['paypal_account.deleted', { id: second, isDefault: true }],
    ]);
    const fields = 'companyExternalId,companyId,createdAt,email,id,isDefault,metadata,method,updatedAt';
    for (const { data } of events) expect(Object.keys(data).sort().join()).toBe(fields);
  });
});

describe('the setup token is a secret', () => {
  it('is in no table, log or answer, whether it is saved, refused, lost or replayed', async () => {
    const admin = await signUpAdmin(service);
    const setupToken = uniqueSetupToken();
    const key = { 'idempotency-key': randomUUID() };
    await service.sandbox.armFault({ operation: 'tokenize', kind: 'server_error_after_effect' });
    const answers = [
      await create(admin, { setupToken }),
      await create(admin, { setupToken }, key),
      await create(admin, { setupToken }, key),
      await create(admin, { setupToken: [setupToken] }),
      await create(admin, { setupToken: `${setupToken} ` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 201, 201, 400, 400]);
    expect(answers[2]?.headers.get('idempotent-replayed')).toBe('true');
    for (const { text } of answers) expect(text).not.toContain(setupToken);
    for (const { text } of await dumpDatabase(service.database.owner)) expect(text).not.toContain(setupToken);
    expect(service.logs()).not.toContain(setupToken);
    const { accounts } = await service.sandbox.readLedger();
    expect(JSON.stringify(accounts)).not.toContain(setupToken);
  });

  it('with an Idempotency-Key: the answer is replayed, and another setup token is 422', async () => {
    const admin = await signUpAdmin(service);
    const key = { 'idempotency-key': randomUUID() };
    const body = { setupToken: uniqueSetupToken() };
    const first = await create(admin, body, key);
    expect((await create(admin, body, key)).text).toBe(first.text);
    expectStatus(await create(admin, { setupToken: uniqueSetupToken() }, key), 422);
    expect(await list(admin)).toHaveLength(1);
  });
});

describe('the gateway', () => {
  it.each([
    'answer_lost_after_effect',
    'server_error_before_effect',
    'rate_limited',
    'unauthorized',
    'outage',
  ] as const)('that fails with %s leaves nothing behind: 503, and the setup token can be used again', async (kind) => {
    const admin = await signUpAdmin(service);
    const body = { setupToken: uniqueSetupToken() };
    await service.sandbox.armFault({ operation: 'tokenize', kind });
    const answer = expectStatus(await create(admin, body), 503);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await list(admin)).toEqual([]);
    await service.sandbox.clearFaults();
    expectStatus(await create(admin, body), 201);
    expect(await list(admin)).toHaveLength(1);
  });
});

describe('isDefault', () => {
  const defaultsOf = async (actor: Actor): Promise<string[]> =>
    (await list(actor)).flatMap(({ id, isDefault }: { id: string; isDefault: boolean }) => (isDefault ? [id] : []));

  it('moves from the previous account, separately from the default card, and to no other account on deletion', async () => {
    const admin = await signUpAdmin(service);
    const cardId = await saveCard(service, admin, { isDefault: true });
    const first = await saveAccount(service, admin, { isDefault: true });
    const second = await saveAccount(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([second]);
    expectStatus(await change(admin, first, { isDefault: true }), 200);
    expect(await defaultsOf(admin)).toEqual([first]);
    expectStatus(await remove(admin, first), 204);
    expect(await defaultsOf(admin)).toEqual([]);
    expect((await service.call('GET', '/payments/cards', { token: admin.token })).body).toMatchObject([
      { id: cardId, isDefault: true },
    ]);
  });

  it('is limited to one account per company by the database', async () => {
    const admin = await signUpAdmin(service);
    await saveAccount(service, admin, { isDefault: true });
    const id = await saveAccount(service, admin);
    const write = service.database.owner`
      UPDATE paypal_accounts SET is_default = true WHERE company_id = ${admin.companyId} AND id = ${id}`;
    await expect(Promise.resolve(write)).rejects.toMatchObject({ constraint_name: 'paypal_accounts_one_default' });
  });

  it('stays unique during parallel creates, changes and deletes, none of which fails with a 5xx', async () => {
    const admin = await signUpAdmin(service);
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await saveAccount(service, admin));
    const answers = await Promise.all(
      ids.flatMap((id, index) => [
        change(admin, id, { isDefault: true }),
        create(admin, { setupToken: uniqueSetupToken(), isDefault: true }),
        index % 2 === 0 ? remove(admin, id) : change(admin, id, { isDefault: index % 3 === 0 }),
      ]),
    );
    for (const { status, text } of answers) expect([200, 201, 204, 404], text).toContain(status);
    expect((await defaultsOf(admin)).length).toBeLessThanOrEqual(1);
    expect(await list(admin)).toHaveLength(12);
    const last = await saveAccount(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([last]);
  });
});
