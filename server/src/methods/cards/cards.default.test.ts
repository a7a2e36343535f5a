import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  cardBody,
  expectStatus,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const INFO = { expMonth: 1, expYear: new Date().getUTCFullYear() + 1 };

type ListedCard = { id: string; isDefault: boolean };

const change = ({ token }: Actor, id: string, body: object) =>
  service.call('PUT', `/payments/cards/${id}`, { token, body: { info: INFO, ...body } });
const remove = ({ token }: Actor, id: string) => service.call('DELETE', `/payments/cards/${id}`, { token });
const list = async ({ token }: Actor): Promise<ListedCard[]> =>
  expectStatus(await service.call('GET', '/payments/cards', { token }), 200).body;
const defaultsOf = async (actor: Actor) => (await list(actor)).filter((card) => card.isDefault).map(({ id }) => id);

describe('isDefault: the card charged by default', () => {
  it('no card is the default until it is set, not even the only one', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    expect(await defaultsOf(admin)).toEqual([]);
  });

  it('a card saved with isDefault true replaces the previous default', async () => {
    const admin = await signUpAdmin(service);
    const first = await saveCard(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([first]);
    const second = await saveCard(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([second]);
    await saveCard(service, admin);
    expect(await defaultsOf(admin)).toEqual([second]);
  });

  it('an update with isDefault true replaces the previous default, and repeating it changes nothing', async () => {
    const admin = await signUpAdmin(service);
    const [first, second] = [await saveCard(service, admin, { isDefault: true }), await saveCard(service, admin)];
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect(expectStatus(await change(admin, second, { isDefault: true }), 200).body.isDefault).toBe(true);
      expect(await defaultsOf(admin)).toEqual([second]);
    }
    expect(expectStatus(await change(admin, first, { isDefault: true }), 200).body.isDefault).toBe(true);
    expect(await defaultsOf(admin)).toEqual([first]);
  });

  it('an update without isDefault leaves it unchanged', async () => {
    const admin = await signUpAdmin(service);
    const [first, second] = [await saveCard(service, admin, { isDefault: true }), await saveCard(service, admin)];
    expect(expectStatus(await change(admin, first, {}), 200).body.isDefault).toBe(true);
    expect(expectStatus(await change(admin, second, {}), 200).body.isDefault).toBe(false);
    expect(await defaultsOf(admin)).toEqual([first]);
  });

  it('an update with isDefault false unsets only the default of that card', async () => {
    const admin = await signUpAdmin(service);
    const [first, second] = [await saveCard(service, admin, { isDefault: true }), await saveCard(service, admin)];
    expectStatus(await change(admin, second, { isDefault: false }), 200);
    expect(await defaultsOf(admin)).toEqual([first]);
    expectStatus(await change(admin, first, { isDefault: false }), 200);
    expect(await defaultsOf(admin)).toEqual([]);
  });

  it('deleting the default card makes no other card the default', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    const id = await saveCard(service, admin, { isDefault: true });
    await saveCard(service, admin);
    expectStatus(await remove(admin, id), 204);
    expect(await list(admin)).toMatchObject([{ isDefault: false }, { isDefault: false }]);
    const next = await saveCard(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([next]);
  });

  it('does not change when the request that would change it is refused', async () => {
    const admin = await signUpAdmin(service);
    const [id, deleted] = [await saveCard(service, admin, { isDefault: true }), await saveCard(service, admin)];
    expectStatus(await remove(admin, deleted), 204);
    const { token } = admin;
    const body = cardBody(randomUUID(), { isDefault: true });
    expectStatus(await service.call('POST', '/payments/cards', { token, body }), 400);
    for (const unknown of [randomUUID(), deleted]) expectStatus(await change(admin, unknown, { isDefault: true }), 404);
    expectStatus(await change(admin, id, { isDefault: true, info: { expMonth: 1, expYear: 2_020 } }), 400);
    expect(await defaultsOf(admin)).toEqual([id]);
  });

  it('is separate for each company', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const [own, foreign] = [await saveCard(service, admin), await saveCard(service, other, { isDefault: true })];
    expectStatus(await change(admin, foreign, { isDefault: true }), 404);
    expectStatus(await change(admin, own, { isDefault: true }), 200);
    expect([await defaultsOf(admin), await defaultsOf(other)]).toEqual([[own], [foreign]]);
  });
});

describe('at most one default card per company', () => {
  it('the database refuses a second one', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { isDefault: true });
    const id = await saveCard(service, admin);
    const write = service.database.owner`
      UPDATE cards SET is_default = true WHERE company_id = ${admin.companyId} AND id = ${id}`;
    await expect(Promise.resolve(write)).rejects.toMatchObject({ code: '23505', constraint_name: 'cards_one_default' });
  });

  it('25 parallel creates with isDefault true all succeed and leave exactly one', async () => {
    const admin = await signUpAdmin(service);
    const body = cardBody(await saveAddress(service, admin), { isDefault: true });
    const { token } = admin;
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => service.call('POST', '/payments/cards', { token, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(201));
    expect(await list(admin)).toHaveLength(25);
    expect(await defaultsOf(admin)).toHaveLength(1);
  });

  it('25 parallel updates with isDefault true all succeed and leave exactly one', async () => {
    const admin = await signUpAdmin(service);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await saveCard(service, admin));
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => change(admin, ids[index % 5] ?? '', { isDefault: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(200));
    expect(await defaultsOf(admin)).toHaveLength(1);
  });

  it('parallel creates, updates and deletes leave at most one, and none of them fails with a 5xx', async () => {
    const admin = await signUpAdmin(service);
    const body = cardBody(await saveAddress(service, admin), { isDefault: true });
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push(await saveCard(service, admin));
    const answers = await Promise.all(
      ids.flatMap((id, index) => [
        change(admin, id, { isDefault: true }),
        service.call('POST', '/payments/cards', { token: admin.token, body }),
        index % 2 === 0 ? remove(admin, id) : change(admin, id, { isDefault: index % 3 === 0 }),
      ]),
    );
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
    expect((await defaultsOf(admin)).length).toBeLessThanOrEqual(1);
    expect(await list(admin)).toHaveLength(15);
    const last = await saveCard(service, admin, { isDefault: true });
    expect(await defaultsOf(admin)).toEqual([last]);
  });

  it('setting one clears the other in the same transaction: a reader never sees none or two', async () => {
    const admin = await signUpAdmin(service);
    const ids = [await saveCard(service, admin, { isDefault: true }), await saveCard(service, admin)];
    let flipping = true;
    const read = async () => {
      const seen: string[][] = [];
      while (flipping) seen.push(await defaultsOf(admin));
      return seen;
    };
    const readers = [read(), read()];
    for (let flip = 1; flip <= 40; flip += 1) {
      expectStatus(await change(admin, ids[flip % 2] ?? '', { isDefault: true }), 200);
    }
    flipping = false;
    const seen = (await Promise.all(readers)).flat();
    expect(seen.length).toBeGreaterThan(0);
    for (const defaults of seen) expect(defaults).toHaveLength(1);
  });
});
