import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  cardBody,
  expectStatus,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { withCheckDigit } from '../../../test/harness/card-numbers.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ gatewayTimeoutMs: 2_000 });
});
afterEach(async () => service.sandbox.clearFaults());
afterAll(async () => service.stop());

const SECURITY_CODE = '7391';

const create = ({ token }: Actor, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/payments/cards', { token, body, headers });
const list = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/payments/cards', { token }), 200).body;

/** Returns a valid number that no other test has. */
function canaryNumber(): string {
  return withCheckDigit(`4929${String(Math.floor(Math.random() * 1e11)).padStart(11, '0')}`);
}

async function canaryBody(admin: Actor, cardNumber: string, changes: object = {}) {
  const body = cardBody(await saveAddress(service, admin));
  return { ...body, info: { ...body.info, cardNumber, cvv: SECURITY_CODE, ...changes } };
}

/** Fails the test if the database or the log contains the number, or the security code as a separate value. */
async function expectNoTrace(cardNumber: string): Promise<void> {
  const forms = [cardNumber, cardNumber.slice(4, -4), cardNumber.replace(/(\d{4})(?=\d)/g, '$1 ')];
  const rows = await dumpDatabase(service.database.owner);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    for (const form of forms) expect(row.text).not.toContain(form);
    for (const value of row.values) {
      expect(String(value).toLowerCase()).not.toBe('cvv');
      expect(String(value)).not.toBe(SECURITY_CODE);
    }
  }
  for (const form of forms) expect(service.logs()).not.toContain(form);
  expect(service.logs()).not.toMatch(/cvv/i);
}

describe('the number and the cvv are sent only to the gateway’s tokenization', () => {
  it('keeps neither when a card is saved, changed, listed and deleted', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const cardNumber = canaryNumber();
    const saved = expectStatus(await create(admin, await canaryBody(admin, cardNumber)), 201);
    const info = { ...saved.body.info, cvv: SECURITY_CODE, cardNumber };
    const path = `/payments/cards/${saved.body.id}`;
    const answers = [
      saved,
      expectStatus(await service.call('PUT', path, { token, body: { info } }), 200),
      expectStatus(await service.call('GET', '/payments/cards', { token }), 200),
      expectStatus(await service.call('DELETE', path, { token }), 204),
    ];
    for (const { text } of answers) {
      expect(text).not.toMatch(/cvv/i);
      expect(text).not.toContain(cardNumber.slice(4, -4));
    }
    await expectNoTrace(cardNumber);
  });

  it('keeps neither when the card is refused by validation, for its address or because of an outage', async () => {
    const admin = await signUpAdmin(service);
    const cardNumber = canaryNumber();
    const refused = [
      await create(admin, await canaryBody(admin, cardNumber, { expMonth: 13 })),
      await create(admin, await canaryBody(admin, cardNumber, { expYear: 2_001 })),
      await create(admin, { ...(await canaryBody(admin, cardNumber)), addressId: randomUUID() }),
    ];
    await service.sandbox.armFault({ operation: 'tokenize', kind: 'outage' });
    refused.push(await create(admin, await canaryBody(admin, cardNumber)));
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 503]);
    for (const { text } of refused) expect(text).not.toContain(cardNumber.slice(4, -4));
    await expectNoTrace(cardNumber);
  });

  it('keeps neither in the answer stored for an idempotency key, whose hash of the body is keyed', async () => {
    const admin = await signUpAdmin(service);
    const cardNumber = canaryNumber();
    const body = await canaryBody(admin, cardNumber);
    const key = { 'idempotency-key': 'canary' };
    expectStatus(await create(admin, body, key), 201);
    expect((await create(admin, body, key)).headers.get('idempotent-replayed')).toBe('true');
    await expectNoTrace(cardNumber);
    const rows = await service.database.owner<{ hash: Buffer }[]>`
      SELECT request_hash AS hash FROM idempotency_keys WHERE company_id = ${admin.companyId}`;
    expect(rows).toHaveLength(1);
    for (const algorithm of ['sha256', 'sha512', 'sha1', 'md5']) {
      const plain = createHash(algorithm).update(JSON.stringify(body)).digest();
      expect(rows[0]?.hash.equals(plain)).toBe(false);
    }
  });

  it('keeps the gateway’s token, brand, the eight visible digits, length and fingerprint', async () => {
    const admin = await signUpAdmin(service);
    const cardNumber = canaryNumber();
    const { id } = expectStatus(await create(admin, await canaryBody(admin, cardNumber)), 201).body;
    const [row] = await service.database
      .owner`SELECT * FROM cards WHERE company_id = ${admin.companyId} AND id = ${id}`;
    expect(row).toMatchObject({
      brand: 'visa',
      first_four: cardNumber.slice(0, 4),
      last_four: cardNumber.slice(-4),
      number_length: 16,
      gateway: 'sandbox',
    });
    const { cards } = await service.sandbox.readLedger();
    expect(cards.map(({ token }) => token)).toContain(row?.gateway_token);
  });
});

describe('the fingerprint is keyed', () => {
  it('and allows two companies to have the same number', async () => {
    const [one, two] = [await signUpAdmin(service), await signUpAdmin(service)];
    await saveCard(service, one, { cardNumber: CARDS.visa });
    await saveCard(service, two, { cardNumber: CARDS.visa });
    expect([await list(one), await list(two)].map((cards) => cards.length)).toEqual([1, 1]);
  });

  it('is the HMAC-SHA256 of the plain number with a key from the key file, the same however the number was typed', async () => {
    const admin = await signUpAdmin(service);
    const cardNumber = canaryNumber();
    for (const typed of [cardNumber, cardNumber.replace(/(\d{4})(?=\d)/g, '$1-')]) {
      expectStatus(await create(admin, await canaryBody(admin, typed)), 201);
    }
    const keys = JSON.parse(await readFile(join(service.config.dataDirectory, 'keys.json'), 'utf8'));
    const { version, secret } = keys.fingerprint[0];
    const keyed = createHmac('sha256', Buffer.from(secret, 'base64')).update(cardNumber).digest('hex');
    const rows = await service.database.owner`
      SELECT encode(fingerprint, 'hex') AS fingerprint, fingerprint_key_version AS version
      FROM cards WHERE company_id = ${admin.companyId}`;
    expect([...rows]).toEqual(Array(2).fill({ fingerprint: keyed, version }));
    const dump = (await dumpDatabase(service.database.owner)).map(({ text }) => text).join('\n');
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret, 'base64').toString('hex'));
  });

  // Security (Card numbers and keys): A dump of the database does not allow guessing card numbers from their fingerprints
  it('and reveals nothing to somebody with the database but without the keys, even if they guess the right number', async () => {
    const admin = await signUpAdmin(service);
    const cardNumber = canaryNumber();
    const { id } = expectStatus(await create(admin, await canaryBody(admin, cardNumber)), 201).body;
    const rows = (await dumpDatabase(service.database.owner)).filter(({ text }) => text.includes(admin.companyId));
    const kept = rows.flatMap(({ values }) => values.map((value) => String(value).replace(/^\\x/, '')));
    expect(kept).toContain(id);
    const salts = ['', admin.companyId, id, ...kept.filter((value) => /^[\da-f]{32,}$/.test(value))];
    const found = guesses(cardNumber).filter((guess) =>
      digestsOf(guess, salts).some((digest) => kept.includes(digest)),
    );
    expect(found).toEqual([]);
  });
});

/**
 * Numbers that match the visible digits and the check digit: there are 10^7, of which 500 and the right one are tried
 * here.
 */
function guesses(cardNumber: string): string[] {
  const [firstFour, lastFour] = [cardNumber.slice(0, 4), cardNumber.slice(-4)];
  const candidates = [cardNumber];
  for (let hidden = 0; candidates.length <= 500; hidden += 1) {
    const guess = `${firstFour}${String(hidden * 7_919).padStart(8, '0')}${lastFour}`;
    if (withCheckDigit(guess.slice(0, -1)) === guess) candidates.push(guess);
  }
  return candidates;
}

/** Every digest that can be computed with the database's content alone. */
function digestsOf(guess: string, salts: string[]): string[] {
  return ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
    salts.flatMap((salt) => [
      createHash(algorithm).update(`${salt}${guess}`).digest('hex'),
      createHash(algorithm).update(`${guess}${salt}`).digest('hex'),
      createHmac(algorithm, salt).update(guess).digest('hex'),
      createHmac(algorithm, Buffer.from(salt.replaceAll('-', ''), 'hex'))
        .update(guess)
        .digest('hex'),
    ]),
  );
}

describe('when tokenization fails, no card is saved', () => {
  it.each([
    'outage',
    'rate_limited',
    'server_error_before_effect',
    'server_error_after_effect',
    'answer_lost_after_effect',
  ] as const)(
    'answers 503 with Retry-After on %s, keeps the default card, and saves the card once the gateway is back',
    async (kind) => {
      const admin = await signUpAdmin(service);
      const before = await saveCard(service, admin, { isDefault: true });
      const body = { ...(await canaryBody(admin, canaryNumber())), isDefault: true };
      const headers = { 'idempotency-key': 'again' };
      await service.sandbox.armFault({ operation: 'tokenize', kind, times: null });
      const refused = expectStatus(await create(admin, body, headers), 503);
      expect(refused.body.error.code).toBe('service_unavailable');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await list(admin)).toMatchObject([{ id: before, isDefault: true }]);

      await service.sandbox.clearFaults();
      const saved = expectStatus(await create(admin, body, headers), 201);
      expect(saved.headers.get('idempotent-replayed')).toBeNull();
      expect(await list(admin)).toMatchObject([
        { id: saved.body.id, isDefault: true },
        { id: before, isDefault: false },
      ]);
    },
  );

  it.each(['unparsable_answer', 'wrong_shape_answer', 'hang_before_effect'] as const)(
    'does not accept an invalid answer of the gateway: %s is 503 without a row',
    async (kind) => {
      const admin = await signUpAdmin(service);
      await service.sandbox.armFault({ operation: 'tokenize', kind });
      expectStatus(await create(admin, await canaryBody(admin, canaryNumber())), 503);
      expect(await list(admin)).toEqual([]);
    },
  );

  it('does not call the gateway for a card that validation rejects', async () => {
    const admin = await signUpAdmin(service);
    const { calls: before } = await service.sandbox.readFaults();
    expectStatus(await create(admin, await canaryBody(admin, canaryNumber(), { cvv: '1' })), 400);
    expectStatus(await create(admin, await canaryBody(admin, canaryNumber(), { expYear: 2_001 })), 400);
    expect((await service.sandbox.readFaults()).calls).toEqual(before);
  });
});
