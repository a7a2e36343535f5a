import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, saveAddress, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  confirmDebit,
  confirmSetup,
  createSetup,
  IBANS,
  saveMandate,
  typedCard,
  typedDebit,
} from '../../../test/customers/card-setups.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const fieldsOf = ({ body }: { body: { error: { details: { field: string }[] } } }) =>
  body.error.details.map(({ field }) => field);

describe('a mandate for SEPA direct debits', () => {
  it('is saved by a setup as a card, which shows the country and the last four of its IBAN', async () => {
    const admin = await signUpAdmin(service);
    const before = Date.now();
    const { clientSecret, ...setup } = await createSetup(service, admin, 'sepa_debit');
    expect(setup).toMatchObject({ method: 'sepa_debit', status: 'requires_payment_method' });
    expect(expectStatus(await confirmDebit(service, clientSecret), 200).body).toEqual({ status: 'succeeded' });
    const body = { addressId: await saveAddress(service, admin), isDefault: true, setupId: setup.id };
    const card = expectStatus(await service.call('POST', '/payments/cards', { token: admin.token, body }), 201).body;
    expect(card).toMatchObject({
      ...{ method: 'sepa_debit', isDefault: true },
      mandate: { reference: expect.stringMatching(/^[0-9A-Z]{16}$/), acceptedAt: expect.any(String) },
    });
    expect(card.info).toEqual({
      ...{ cardName: 'Ada Lovelace', country: 'DE', cardNumber: 'DE****************3000' },
      ...{ expMonth: 12, expYear: 9999, brand: 'sepa_debit' },
    });
    expect(Date.parse(card.mandate.acceptedAt)).toBeGreaterThanOrEqual(before);
    const { address: _address, ...listed } = (await service.call('GET', '/payments/cards', { token: admin.token }))
      .body[0];
    expect(listed).toEqual(card);
  });

  it('is as long as an IBAN of its country, and may end in letters', async () => {
    const { info } = await saveMandate(service, await signUpAdmin(service), 'mt84 MALT 0110 0001 2345 MTLC AST0 01S');
    expect(info).toMatchObject({ country: 'MT', cardNumber: `MT${'*'.repeat(25)}001S` });
    const norwegian = await saveMandate(service, await signUpAdmin(service), 'NO9386011117947');
    expect(norwegian.info.cardNumber).toBe('NO*********7947');
  });

  it('is the one default beside cards, keeps its own date when it is changed, and is deleted as a card', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const mandate = await saveMandate(service, admin);
    const cardId = await saveCard(service, admin);
    const change = (id: string, info: object) =>
      service.call('PUT', `/payments/cards/${id}`, { token, body: { isDefault: true, info } });
    expectStatus(await change(cardId, { expMonth: 11, expYear: 2090 }), 200);
    for (const info of [
      { expMonth: 12, expYear: 9999 },
      { expMonth: 1, expYear: 2020 },
    ]) {
      const { body } = expectStatus(await change(mandate.id, info), 200);
      expect(body).toMatchObject({ isDefault: true, info: { expMonth: 12, expYear: 9999 }, mandate: mandate.mandate });
    }
    const refused = await change(cardId, { expMonth: 12, expYear: 9999 });
    expect(fieldsOf(expectStatus(refused, 400))).toEqual(['info.expYear']);
    const cards = (await service.call('GET', '/payments/cards', { token })).body;
    expect(cards.map(({ id, isDefault, mandate: shown }: typeof mandate) => [id, isDefault, shown === null])).toEqual([
      [cardId, false, true],
      [mandate.id, true, false],
    ]);
    expectStatus(await service.call('DELETE', `/payments/cards/${mandate.id}`, { token }), 204);
    expect((await service.call('GET', '/payments/cards', { token })).body).toHaveLength(1);
  });

  it('needs a valid IBAN, a name, an e-mail address and the mandate, in a setup of its method', async () => {
    const admin = await signUpAdmin(service);
    const { clientSecret } = await createSetup(service, admin, 'sepa_debit');
    const confirm = (changes: object, more: object = {}) =>
      service.call('POST', '/gateways/sandbox/setups/confirm', {
        body: { clientSecret, sepaDebit: { ...typedDebit(), ...changes }, mandateAccepted: true, ...more },
      });
    expect(fieldsOf(expectStatus(await confirm({ iban: 'DE89370400440532013001' }), 400))).toEqual(['sepaDebit.iban']);
    expect(fieldsOf(expectStatus(await confirm({ email: 'nobody' }), 400))).toEqual(['sepaDebit.email']);
    expect(fieldsOf(expectStatus(await confirm({ name: ' ' }), 400))).toEqual(['sepaDebit.name']);
    for (const mandateAccepted of [false, undefined]) {
      expect(fieldsOf(expectStatus(await confirm({}, { mandateAccepted }), 400))).toEqual(['mandateAccepted']);
    }
    expect(fieldsOf(expectStatus(await confirmSetup(service, clientSecret), 400))).toEqual(['clientSecret']);
    const ofCard = await createSetup(service, admin);
    expect(fieldsOf(expectStatus(await confirmDebit(service, ofCard.clientSecret), 400))).toEqual(['clientSecret']);
    expect(fieldsOf(expectStatus(await confirm({}, { card: typedCard() }), 400))).toEqual(['card']);
    expect(fieldsOf(expectStatus(await confirm({}, { sepaDebit: undefined }), 400))).toEqual(['card']);
    expectStatus(await confirm({}), 200);
    expectStatus(await confirmDebit(service, `${clientSecret}x`), 404);
  });

  // Security (Card numbers and keys): an IBAN is stored nowhere, neither by Paydesk nor by its sandbox
  it('leaves its IBAN nowhere', async () => {
    const admin = await signUpAdmin(service);
    const iban = IBANS.settlesLater;
    const mandate = await saveMandate(service, admin, iban);
    expectStatus(await service.call('DELETE', `/payments/cards/${mandate.id}`, { token: admin.token }), 204);
    const { clientSecret } = await createSetup(service, admin, 'sepa_debit');
    await confirmDebit(service, clientSecret, { ...typedDebit(iban), name: '' });
    const ledger = await Promise.all(
      ['sandbox-gateway.db', 'sandbox-gateway.db-wal'].map((file) =>
        readFile(join(service.config.dataDirectory, file), 'latin1').catch(() => ''),
      ),
    );
    const tables = (await dumpDatabase(service.database.owner)).map(({ text }) => text);
    // An event and an audit entry have it masked.
    expect(tables.join('')).toContain('DE****************3003');
    const kept = [service.logs(), ...ledger, ...tables];
    for (const text of kept) expect(text).not.toContain(iban.slice(4, -4));
  });
});
