import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  cardBody,
  expectStatus,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { describeIdempotentCreate } from '../../../test/customers/idempotent-creates.contract.ts';
import { withCheckDigit } from '../../../test/harness/card-numbers.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NEXT_YEAR = new Date().getUTCFullYear() + 1;

type Info = Record<string, unknown>;

const create = ({ token }: Actor, body: unknown) => service.call('POST', '/payments/cards', { token, body });
const change = ({ token }: Actor, id: string, body: unknown) =>
  service.call('PUT', `/payments/cards/${id}`, { token, body });
const remove = ({ token }: Actor, id: string) => service.call('DELETE', `/payments/cards/${id}`, { token });
const list = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/payments/cards', { token }), 200).body;
const fieldsOf = ({ body }: { body: { error: { details: { field: string }[] } } }) =>
  body.error.details.map(({ field }) => field);

/** Creates an admin with an address, and a function that saves a card with changed info. */
async function newHolder() {
  const admin = await signUpAdmin(service);
  const addressId = await saveAddress(service, admin);
  const valid = cardBody(addressId);
  const save = (info: Info, changes: object = {}) =>
    create(admin, { ...valid, info: { ...valid.info, ...info }, ...changes });
  return { admin, addressId, valid, save };
}

/** The month this many months from now, as a card's info. */
function monthFromNow(months: number): { expMonth: number; expYear: number } {
  const now = new Date();
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return { expMonth: then.getUTCMonth() + 1, expYear: then.getUTCFullYear() };
}

describe('POST /payments/cards', () => {
  it('answers 201 with every field of 2.1, the number masked, and without cvv and address', async () => {
    const { admin, addressId, valid } = await newHolder();
    const { body } = expectStatus(await create(admin, { ...valid, isDefault: true }), 201);
    const { cvv: _cvv, ...shown } = valid.info;
    expect(body).toEqual({
      id: expect.stringMatching(UUID_V7),
      companyId: admin.companyId,
      addressId,
      method: 'Card',
      isDefault: true,
      info: { ...shown, cardNumber: '4242********4242', brand: 'visa' },
      mandate: null,
      metadata: {},
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: body.createdAt,
    });
    const [{ address, ...listed }] = await list(admin);
    expect(listed).toEqual(body);
    expect(address.id).toBe(addressId);
  });

  it('isDefault is false when absent', async () => {
    const { admin, valid } = await newHolder();
    const { isDefault: _isDefault, ...body } = valid;
    expect(expectStatus(await create(admin, body), 201).body.isDefault).toBe(false);
  });

  it.each([12, 13, 14, 15, 16, 17, 18, 19])(
    'masks a number of %i digits: first four, asterisks, last four',
    async (length) => {
      const { admin, save } = await newHolder();
      const cardNumber = withCheckDigit('4929871653406281957'.slice(0, length - 1));
      const masked = `${cardNumber.slice(0, 4)}${'*'.repeat(length - 8)}${cardNumber.slice(-4)}`;
      const { body } = expectStatus(await save({ cardNumber }), 201);
      expect(body.info.cardNumber).toBe(masked);
      const changed = await change(admin, body.id, { info: { expMonth: 1, expYear: NEXT_YEAR } });
      expect(changed.body.info.cardNumber).toBe(masked);
      const listed = await service.call('GET', '/payments/cards', { token: admin.token });
      expect(listed.body[0].info.cardNumber).toBe(masked);
      expect(listed.text + changed.text).not.toContain(cardNumber);
    },
  );

  it('ignores spaces and dashes anywhere', async () => {
    const { save } = await newHolder();
    for (const separated of ['4242 4242 4242 4242', ' 42424242 - 42424242 ', [...CARDS.visa].join('-')]) {
      const { body } = expectStatus(await save({ cardNumber: separated }), 201);
      expect(body.info.cardNumber).toBe('4242********4242');
    }
  });

  it('saves every test card: cards are declined when they are charged', async () => {
    const { save } = await newHolder();
    for (const cardNumber of Object.values(CARDS)) expectStatus(await save({ cardNumber }), 201);
  });

  it.each([
    [{ expMonth: 1, expYear: NEXT_YEAR }, NEXT_YEAR],
    [{ expMonth: 12, expYear: NEXT_YEAR % 100 }, NEXT_YEAR],
    [{ expMonth: 6, expYear: 99 }, 2_099],
    [{ expMonth: 6, expYear: 2_099 }, 2_099],
    [{ expYear: NEXT_YEAR, cvv: '000' }, NEXT_YEAR],
    [{ expYear: NEXT_YEAR, cvv: '0012' }, NEXT_YEAR],
  ])('accepts %j; a year of two digits is answered with four', async (info, expYear) => {
    const { admin, save } = await newHolder();
    const { body } = expectStatus(await save(info), 201);
    expect(body.info.expYear).toBe(expYear);
    if ('expMonth' in info) expect(body.info.expMonth).toBe(info.expMonth);
    expect((await list(admin))[0].info).toEqual(body.info);
  });

  it('accepts a card in its last month, and rejects one past it', async () => {
    const { admin, save } = await newHolder();
    expectStatus(await save(monthFromNow(0)), 201);
    for (const info of [monthFromNow(-1), monthFromNow(-12)]) {
      const refused = expectStatus(await save(info), 400);
      expect(fieldsOf(refused)[0]).toMatch(/^info\.exp(Month|Year)$/);
    }
    expect(await list(admin)).toHaveLength(1);
  });

  it('trims cardName and country, and accepts 255 characters of each but not 256', async () => {
    const { admin, save } = await newHolder();
    const { body } = expectStatus(await save({ cardName: ' Ada\t', country: ` ${'é'.repeat(255)} ` }), 201);
    expect(body.info).toMatchObject({ cardName: 'Ada', country: 'é'.repeat(255) });
    expectStatus(await save({ cardName: 'é'.repeat(255) }), 201);
    for (const field of ['cardName', 'country']) {
      expect(fieldsOf(expectStatus(await save({ [field]: 'x'.repeat(256) }), 400))).toEqual([`info.${field}`]);
    }
    expect(await list(admin)).toHaveLength(2);
  });

  it('ignores unknown fields, and those that the client can’t set', async () => {
    const { admin, save } = await newHolder();
    const other = await signUpAdmin(service);
    const createdAt = '2000-01-01T00:00:00.000Z';
    const sent = { id: randomUUID(), companyId: other.companyId, method: 'paypal', metadata: { a: 1 }, createdAt };
    const { body } = expectStatus(await save({ brand: 'gold', nickname: 'mine' }, { ...sent, status: 'x' }), 201);
    expect(body).toMatchObject({ companyId: admin.companyId, method: 'Card', metadata: {}, info: { brand: 'visa' } });
    expect([body.id, body.createdAt]).not.toEqual([sent.id, createdAt]);
    expect(await list(other)).toEqual([]);
  });

  it('refuses the 1,001st card with 409 limit_reached', async () => {
    const { admin, valid } = await newHolder();
    const { id } = expectStatus(await create(admin, valid), 201).body;
    await service.database.owner`
      INSERT INTO cards (company_id, id, address_id, country, exp_month, exp_year, card_name, brand, first_four, last_four,
                         number_length, fingerprint, fingerprint_key_version, gateway, gateway_token)
      SELECT company_id, gen_random_uuid(), address_id, country, exp_month, exp_year, card_name, brand, first_four, last_four,
             number_length, fingerprint, fingerprint_key_version, gateway, gateway_token
      FROM cards, generate_series(1, 999) WHERE company_id = ${admin.companyId} AND id = ${id}`;
    expect(expectStatus(await create(admin, valid), 409).body.error.code).toBe('limit_reached');
    expectStatus(await remove(admin, id), 204);
    expectStatus(await create(admin, valid), 201);
  });
});

// Security (Amounts, documents and card data): Invalid card data is 400, and the answer never repeats it
describe('POST /payments/cards refuses with 400, saves nothing and repeats nothing of the card', () => {
  const CARD_NUMBER = withCheckDigit('492987165340628');
  const MISTYPED = withCheckDigit('492987165340629').slice(0, -1).concat(CARD_NUMBER.slice(-1));
  const TOO_SHORT = withCheckDigit('4929871653');
  const TOO_LONG = withCheckDigit('4929871653406281957');
  const SECURITY_CODE = '7391';

  // Security (Card numbers and keys): A name that contains a card number is 400, and is not stored
  it('a cardName that contains a card number: people type it there, and names are stored', async () => {
    const { admin, save } = await newHolder();
    const spaced = CARD_NUMBER.replace(/(\d{4})(?=\d)/g, '$1 ');
    for (const cardName of [CARD_NUMBER, spaced, spaced.replaceAll(' ', '-'), `Ada ${MISTYPED} Lovelace`]) {
      const refused = expectStatus(await save({ cardName }), 400);
      expect(fieldsOf(refused)).toEqual(['info.cardName']);
      // Without the request id: some UUIDs have as many digits in a row.
      const { requestId: _, ...error } = refused.body.error;
      expect(JSON.stringify(error)).not.toMatch(/\d{4}[ -]?\d{4}[ -]?\d{4}/);
    }
    expect(await list(admin)).toEqual([]);
    expectStatus(await save({ cardName: 'Ada Lovelace 3rd, 12345678901' }), 201);
  });

  it.each([
    ['addressId'],
    ['info'],
    ['info.cardName'],
    ['info.cardNumber'],
    ['info.expMonth'],
    ['info.expYear'],
    ['info.cvv'],
    ['info.country'],
  ])('%s missing or null', async (path) => {
    const { admin, valid } = await newHolder();
    for (const value of [undefined, null]) {
      const [outer = '', inner] = path.split('.');
      const body = inner
        ? { ...valid, info: { ...valid.info, [inner]: value } }
        : { ...valid, info: { ...valid.info }, [outer]: value };
      const refused = expectStatus(await create(admin, body), 400);
      expect(refused.body.error.code).toBe('invalid_request');
      expect(fieldsOf(refused)).toEqual([path]);
    }
    expect(await list(admin)).toEqual([]);
  });

  it.each([
    ['cardNumber', ['', '   ', MISTYPED, TOO_SHORT, TOO_LONG, `${CARD_NUMBER}x`]],
    ['cardNumber', [4_242_424_242_424_242, true, [CARD_NUMBER], {}, `${CARD_NUMBER}${' '.repeat(250)}`]],
    ['cvv', ['', '12', '73915', 'abc', '1 2 3', '-123', 739, true, ['739'], '739\0']],
    ['cardName', ['', '  ', 12, false, ['Ada'], {}, 'A\0da']],
    ['country', ['', '  ', 44, false, ['GB'], {}, 'G\0B']],
    ['expMonth', [0, 13, -1, 1.5, 1e300, '12', true, [12], {}]],
    ['expYear', [-1, 100, 1_999, 2_100, 20_300, 2030.5, 1e300, `${NEXT_YEAR}`, true, [NEXT_YEAR], {}]],
  ])('info.%s in another form or type', async (field, values) => {
    const { admin, save } = await newHolder();
    for (const value of values) {
      const card = { cardNumber: CARD_NUMBER, cvv: SECURITY_CODE, [field]: value };
      const refused = expectStatus(await save(card), 400);
      expect(refused.text).not.toContain(CARD_NUMBER.slice(4, 12));
      expect(refused.text).not.toContain(`"${SECURITY_CODE}"`);
      if (!String(value).includes('\0')) expect(new Set(fieldsOf(refused))).toEqual(new Set([`info.${field}`]));
    }
    expect(await list(admin)).toEqual([]);
  });

  it('isDefault of "true", 1, null and []', async () => {
    const { admin, valid } = await newHolder();
    for (const isDefault of ['true', 1, null, []]) {
      expect(fieldsOf(expectStatus(await create(admin, { ...valid, isDefault }), 400))).toEqual(['isDefault']);
    }
    expect(await list(admin)).toEqual([]);
  });

  it('names the problem of every field at once', async () => {
    const { admin } = await newHolder();
    const info = { cardName: '', cardNumber: '1', expMonth: 13, expYear: -1, cvv: '1', country: null };
    const refused = expectStatus(await create(admin, { addressId: '', isDefault: 0, info }), 400);
    const fields = ['addressId', 'isDefault', ...Object.keys(info).map((field) => `info.${field}`)];
    expect(fieldsOf(refused).sort()).toEqual(fields.sort());
  });
});

describe('addressId is one of the company’s saved addresses', () => {
  // Security (Bodies, paths and queries): An invalid address id or receipt is 400
  it.each(['a deleted', 'another company’s', 'an unknown', 'no'])(
    '%s id is 400 on addressId, and nothing is saved',
    async (which) => {
      const { admin, valid, addressId: deleted } = await newHolder();
      const other = await signUpAdmin(service);
      const foreign = await saveAddress(service, other);
      const path = `/payments/addresses/${deleted}`;
      expectStatus(await service.call('DELETE', path, { token: admin.token }), 204);
      const ids: Record<string, string> = {
        'a deleted': deleted,
        'another company’s': foreign,
        'an unknown': randomUUID(),
        no: 'not-a-uuid',
      };
      for (const isDefault of [false, true]) {
        const refused = expectStatus(await create(admin, { ...valid, isDefault, addressId: ids[which] }), 400);
        expect(refused.body.error.code).toBe('invalid_request');
        expect(fieldsOf(refused)).toEqual(['addressId']);
      }
      const [row] = await service.database.owner`
      SELECT count(*)::int AS cards FROM cards WHERE company_id IN (${admin.companyId}, ${other.companyId})`;
      expect(row).toEqual({ cards: 0 });
    },
  );

  // Security (Tenants): The database itself refuses a card with another company's address
  it('the database refuses a card with another company’s address', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const id = await saveCard(service, admin);
    const foreign = await saveAddress(service, other);
    const move = service.database.owner`
      UPDATE cards SET address_id = ${foreign} WHERE company_id = ${admin.companyId} AND id = ${id}`;
    await expect(Promise.resolve(move)).rejects.toMatchObject({ code: '23503' });
  });
});

describe('GET /payments/cards', () => {
  it('answers 200 with an array, empty at first, then newest first, with the caller’s company’s cards only', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    expect(await list(admin)).toEqual([]);
    await saveCard(service, other);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await saveCard(service, admin));
    expect((await list(admin)).map(({ id }: { id: string }) => id)).toEqual(ids.reverse());
  });

  it('shows each card with its current address embedded, with every field of 2.2', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const addressIds = [await saveAddress(service, admin), await saveAddress(service, admin)];
    for (const addressId of [...addressIds, addressIds[0] ?? '']) {
      expectStatus(await create(admin, cardBody(addressId)), 201);
    }
    const body = { firstName: 'Moved', zipCode: '01234' };
    expectStatus(await service.call('PUT', `/payments/addresses/${addressIds[0]}`, { token, body }), 200);
    const addresses = (await service.call('GET', '/payments/addresses', { token })).body;
    const byId = new Map(addresses.map((address: { id: string }) => [address.id, address]));
    const cards = await list(admin);
    expect(cards).toHaveLength(3);
    for (const card of cards) expect(card.address).toEqual(byId.get(card.addressId));
    expect(cards[0].address).toMatchObject(body);
  });

  it('still shows the address of a card after the address was deleted', async () => {
    const { admin, addressId, valid } = await newHolder();
    const { token } = admin;
    const { id } = expectStatus(await create(admin, valid), 201).body;
    const [before] = await list(admin);
    expectStatus(await service.call('DELETE', `/payments/addresses/${addressId}`, { token }), 204);
    expect((await service.call('GET', '/payments/addresses', { token })).body).toEqual([]);
    expect(await list(admin)).toEqual([before]);
    const changed = expectStatus(await change(admin, id, { info: { expMonth: 1, expYear: NEXT_YEAR } }), 200);
    expect(changed.body.addressId).toBe(addressId);
    expect((await list(admin))[0].address).toEqual(before.address);
  });
});

describe('PUT /payments/cards/{card_id}', () => {
  it('answers 200 with the card, its expiry changed, and without an address', async () => {
    const { admin, valid } = await newHolder();
    const before = expectStatus(await create(admin, valid), 201).body;
    await delay(2);
    const info = { expMonth: 2, expYear: (NEXT_YEAR + 1) % 100 };
    const { body } = expectStatus(await change(admin, before.id, { info }), 200);
    expect(body).toEqual({
      ...before,
      info: { ...before.info, expMonth: 2, expYear: NEXT_YEAR + 1 },
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const [{ address: _address, ...listed }] = await list(admin);
    expect(listed).toEqual(body);
  });

  it('ignores all other fields: number, name, country, cvv, addressId, ids and timestamps', async () => {
    const { admin, valid } = await newHolder();
    const before = expectStatus(await create(admin, valid), 201).body;
    const addressId = await saveAddress(service, admin);
    const info = {
      ...before.info,
      cardNumber: CARDS.mastercard,
      cardName: 'Eve',
      country: 'FR',
      cvv: '999',
      brand: 'x',
    };
    const sent = { ...before, info, addressId, id: randomUUID(), companyId: randomUUID(), metadata: { a: 1 } };
    const { body } = expectStatus(await change(admin, before.id, sent), 200);
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
  });

  it('accepts the current month, and rejects a past one with 400', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveCard(service, admin);
    const { body } = expectStatus(await change(admin, id, { info: monthFromNow(0) }), 200);
    const refused = expectStatus(await change(admin, id, { isDefault: true, info: monthFromNow(-1) }), 400);
    expect(fieldsOf(refused)[0]).toMatch(/^info\.exp(Month|Year)$/);
    expect((await list(admin))[0]).toMatchObject({ info: body.info, isDefault: false });
  });

  it('requires info, info.expMonth and info.expYear, of the right type and range', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveCard(service, admin);
    const before = await list(admin);
    const info = { expMonth: 1, expYear: NEXT_YEAR };
    const refused: [body: unknown, field: string][] = [
      [{}, 'info'],
      [{ isDefault: true }, 'info'],
      [{ info: null }, 'info'],
      [{ info: { expYear: NEXT_YEAR } }, 'info.expMonth'],
      [{ info: { expMonth: 1 } }, 'info.expYear'],
      [{ info: { ...info, expMonth: '1' } }, 'info.expMonth'],
      [{ info: { ...info, expMonth: 0 } }, 'info.expMonth'],
      [{ info: { ...info, expMonth: 13 } }, 'info.expMonth'],
      [{ info: { ...info, expYear: null } }, 'info.expYear'],
      [{ info: { ...info, expYear: 2_100 } }, 'info.expYear'],
      [{ info, isDefault: null }, 'isDefault'],
      [{ info, isDefault: 'true' }, 'isDefault'],
    ];
    for (const [body, field] of refused)
      expect(fieldsOf(expectStatus(await change(admin, id, body), 400))).toEqual([field]);
    expect(await list(admin)).toEqual(before);
  });

  it('answers 404 for an unknown id, one that is not a UUID, a deleted card and another company’s, which stays unchanged', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const [deleted, foreign] = [await saveCard(service, admin), await saveCard(service, other)];
    expectStatus(await remove(admin, deleted), 204);
    const before = await list(other);
    for (const id of [randomUUID(), 'card-1', deleted, foreign]) {
      const body = { isDefault: true, info: { expMonth: 1, expYear: NEXT_YEAR } };
      expect(expectStatus(await change(admin, id, body), 404).body.error.code).toBe('not_found');
    }
    expect(await list(other)).toEqual(before);
  });
});

describe('DELETE /payments/cards/{card_id}', () => {
  it('answers 204 without content, and the second time 404', async () => {
    const admin = await signUpAdmin(service);
    const [kept, id] = [await saveCard(service, admin), await saveCard(service, admin)];
    expect(expectStatus(await remove(admin, id), 204).text).toBe('');
    expect(expectStatus(await remove(admin, id), 404).body.error.code).toBe('not_found');
    expect((await list(admin)).map((card: { id: string }) => card.id)).toEqual([kept]);
  });

  it('answers one of ten parallel deletes with 204 and the others with 404', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveCard(service, admin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(admin, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('answers 404 for an unknown id, one that is not a UUID and another company’s card, which is kept', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const foreign = await saveCard(service, other);
    for (const id of [randomUUID(), 'nothing', foreign]) expectStatus(await remove(admin, id), 404);
    expect(await list(other)).toHaveLength(1);
  });

  it('accepts Content-Type: application/json with an empty body', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveCard(service, admin);
    const headers = { 'content-type': 'application/json' };
    expectStatus(
      await service.call('DELETE', `/payments/cards/${id}`, { token: admin.token, headers, rawBody: '' }),
      204,
    );
  });
});

describeIdempotentCreate({
  service: () => service,
  path: '/payments/cards',
  makeBody: async (actor, mark) => {
    const body = cardBody(await saveAddress(service, actor));
    return { ...body, info: { ...body.info, cardName: mark } };
  },
  invalidFields: { addressId: randomUUID() },
  countRows: async (actor) => (await list(actor)).length,
});
