import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, cardBody, expectStatus, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  ASKING_CARDS,
  answerChallenge,
  confirmSetup,
  createSetup,
  typedCard,
} from '../../../test/customers/card-setups.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ gatewayTimeoutMs: 2_000 });
});
afterEach(async () => service.sandbox.clearFaults());
afterAll(async () => service.stop());

const readSetup = ({ token }: Actor, id: string) => service.call('GET', `/payments/card-setups/${id}`, { token });
const statusOf = async (actor: Actor, id: string) => expectStatus(await readSetup(actor, id), 200).body.status;
async function save(actor: Actor, setupId: string, headers: Record<string, string> = {}): Promise<Answer> {
  const body = { addressId: await saveAddress(service, actor), isDefault: true, setupId };
  return service.call('POST', '/payments/cards', { token: actor.token, body, headers });
}
const codeOf = ({ status, body }: Answer) => `${status} ${body.error.code}`;
const fieldsOf = ({ body }: Answer) => body.error.details.map(({ field }: { field: string }) => field);

describe('a card setup', () => {
  it('is confirmed in the fields of the sandbox, saved once, and its card is charged', async () => {
    const admin = await signUpAdmin(service);
    const { clientSecret, ...setup } = await createSetup(service, admin);
    expect(setup).toMatchObject({
      ...{ companyId: admin.companyId, gateway: 'sandbox', method: 'Card', publishableKey: 'pk_sandbox' },
      status: 'requires_payment_method',
    });
    expect(Date.parse(setup.expiresAt) - Date.parse(setup.createdAt)).toBe(86_400_000);
    expect(expectStatus(await readSetup(admin, setup.id), 200).body).toEqual(setup);

    expect(expectStatus(await confirmSetup(service, clientSecret), 200).body).toEqual({ status: 'succeeded' });
    expect(await statusOf(admin, setup.id)).toBe('succeeded');
    const card = expectStatus(await save(admin, setup.id), 201).body;
    const { expYear } = typedCard();
    expect(card.info).toEqual({
      ...{ cardNumber: '************4242', brand: 'visa', expMonth: 12, expYear },
      ...{ cardName: 'Ada Lovelace', country: 'GB' },
    });
    expect(await statusOf(admin, setup.id)).toBe('used');
    expect(codeOf(await save(admin, setup.id))).toBe('409 setup_used');
    expectStatus(await service.call('DELETE', `/payments/cards/${card.id}`, { token: admin.token }), 204);
    expect(codeOf(await save(admin, setup.id))).toBe('409 setup_used');
  });

  it.each(ASKING_CARDS)('of %s waits for the confirmation that its bank asks for', async (number) => {
    const admin = await signUpAdmin(service);
    const { id, clientSecret } = await createSetup(service, admin);
    const asked = await confirmSetup(service, clientSecret, typedCard(number));
    expect(expectStatus(asked, 200).body).toEqual({ status: 'requires_action' });
    expect(codeOf(await save(admin, id))).toBe('409 setup_not_confirmed');
    expect(expectStatus(await answerChallenge(service, clientSecret, 'fail'), 200).body).toEqual({ status: 'failed' });
    expect(await statusOf(admin, id)).toBe('requires_payment_method');

    await confirmSetup(service, clientSecret, typedCard(number));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => answerChallenge(service, clientSecret, 'succeed')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expectStatus(await save(admin, id), 201);
  });

  it('is saved once by several requests at once, and a refused save does not use it up', async () => {
    const admin = await signUpAdmin(service);
    const { id, clientSecret } = await createSetup(service, admin);
    await confirmSetup(service, clientSecret);
    const body = { addressId: randomUUID(), setupId: id };
    const refused = await service.call('POST', '/payments/cards', { token: admin.token, body });
    expect(fieldsOf(expectStatus(refused, 400))).toEqual(['addressId']);
    expect(await statusOf(admin, id)).toBe('succeeded');
    const answers = await Promise.all(Array.from({ length: 5 }, () => save(admin, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const list = expectStatus(await service.call('GET', '/payments/cards', { token: admin.token }), 200).body;
    expect(list).toHaveLength(1);
  });

  it('of another company is refused as an unknown one is', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const { id, clientSecret } = await createSetup(service, other);
    await confirmSetup(service, clientSecret);
    expectStatus(await readSetup(admin, id), 404);
    const answers = [await save(admin, id), await save(admin, randomUUID()), await save(admin, 'no-uuid')];
    const errors = answers.map((answer) => ({ ...expectStatus(answer, 400).body.error, requestId: '' }));
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(errors[0].details).toEqual([{ field: 'setupId', message: 'is not the id of a setup of this company' }]);
  });

  it('expires 24 hours after its creation', async () => {
    const admin = await signUpAdmin(service);
    const { id, clientSecret } = await createSetup(service, admin);
    await confirmSetup(service, clientSecret);
    await service.database.owner`UPDATE card_setups SET expires_at = now() WHERE id = ${id}`;
    expect(await statusOf(admin, id)).toBe('expired');
    expect(codeOf(await save(admin, id))).toBe('409 setup_not_confirmed');
  });

  it('is answered again with the same key, with its client secret', async () => {
    const { token } = await signUpAdmin(service);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await service.call('POST', '/payments/card-setups', { token, headers }),
      await service.call('POST', '/payments/card-setups', { token, headers }),
    ];
    expect(second.body).toEqual(expectStatus(first, 201).body);
  });

  it('is 503 while the gateway cannot be reached, and nothing is kept', async () => {
    const admin = await signUpAdmin(service);
    const { id, clientSecret } = await createSetup(service, admin);
    await confirmSetup(service, clientSecret);
    await service.sandbox.armFault({ operation: 'any', kind: 'outage', times: null });
    expectStatus(await service.call('POST', '/payments/card-setups', { token: admin.token }), 503);
    expectStatus(await readSetup(admin, id), 503);
    expectStatus(await save(admin, id), 503);
    expectStatus(await confirmSetup(service, clientSecret), 503);
    await service.sandbox.clearFaults();
    expectStatus(await save(admin, id), 201);
  });
});

describe('the fields of the sandbox', () => {
  it('confirm a setup once, and know no other client secret', async () => {
    const { clientSecret } = await createSetup(service, await signUpAdmin(service));
    expect(codeOf(await answerChallenge(service, clientSecret, 'succeed'))).toBe('409 nothing_to_confirm');
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirmSetup(service, clientSecret)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expectStatus(await confirmSetup(service, `${clientSecret}x`), 404);
    expectStatus(await answerChallenge(service, `${clientSecret}x`, 'fail'), 404);
  });

  it('refuse a card by the rules of saving one', async () => {
    const { clientSecret } = await createSetup(service, await signUpAdmin(service));
    const confirm = (changes: object) => confirmSetup(service, clientSecret, { ...typedCard(), ...changes });
    expect(fieldsOf(expectStatus(await confirm({ number: '4242424242424241' }), 400))).toEqual(['card.number']);
    expect(fieldsOf(expectStatus(await confirm({ expYear: 2020 }), 400))).toEqual(['card.expYear']);
    expect(fieldsOf(expectStatus(await confirm({ cvv: 'x' }), 400))).toEqual(['card.cvv']);
    expectStatus(await confirm({ number: '4242 4242 4242 4242' }), 200);
  });

  it('leave no number, security code or client secret anywhere', async () => {
    const admin = await signUpAdmin(service);
    const { id, clientSecret } = await createSetup(service, admin);
    const card = { ...typedCard('5200828282828210'), cvv: '7391' };
    expectStatus(await confirmSetup(service, clientSecret, card), 200);
    expectStatus(await save(admin, id), 201);
    const kept = [service.logs(), ...(await dumpDatabase(service.database.owner)).map(({ text }) => text)];
    const ledger = await readFile(join(service.config.dataDirectory, 'sandbox-gateway.db-wal'), 'latin1').catch(
      () => '',
    );
    for (const text of [...kept, ledger]) {
      expect(text).not.toContain(card.number);
      expect(text).not.toContain(card.number.slice(4, -4));
      expect(text).not.toContain(clientSecret);
    }
  });
});

describe('POST /payments/cards', () => {
  it('takes exactly one of a number, a setup and a card of the gateway', async () => {
    const admin = await signUpAdmin(service);
    const { info, addressId } = cardBody(await saveAddress(service, admin));
    const send = (body: object) => service.call('POST', '/payments/cards', { token: admin.token, body });
    expect(fieldsOf(expectStatus(await send({ addressId }), 400))).toEqual(['info']);
    expect(fieldsOf(expectStatus(await send({ addressId, info, setupId: randomUUID() }), 400))).toEqual(['info']);
    expect(fieldsOf(expectStatus(await send({ addressId, paymentMethod: 'pm_unknown' }), 400))).toEqual([
      'paymentMethod',
    ]);
  });

  it('refuses numbers unseen with RAW_CARD_NUMBERS=off, and saves setups', async () => {
    const strict = await startTestService({ rawCardNumbers: 'off' });
    try {
      const admin = await signUpAdmin(strict);
      const { token } = admin;
      const addressId = await saveAddress(strict, admin);
      const send = (body: object) => strict.call('POST', '/payments/cards', { token, body });
      for (const [info, field] of [
        [{ cardNumber: 'anything', cvv: 1 }, 'info.cardNumber'],
        [{ cardNumber: '4242424242424242' }, 'info.cardNumber'],
        [{ cvv: '123' }, 'info.cvv'],
      ] as const) {
        const answer = await send({ addressId, info });
        expect(codeOf(answer)).toBe('400 raw_card_numbers_off');
        expect(fieldsOf(answer)).toEqual([field]);
      }
      expect(codeOf(await send({ addressId, info: {} }))).toBe('400 invalid_request');
      const { id, clientSecret } = await createSetup(strict, admin);
      expectStatus(await confirmSetup(strict, clientSecret), 200);
      expectStatus(await send({ addressId, setupId: id }), 201);
    } finally {
      await strict.stop();
    }
  });
});
