/** The contract that every payment gateway's adapter passes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayEntry } from './gateway.entry.ts';
import {
  anHourAgo,
  CONTRACT_AMOUNT,
  type ContractSubject,
  confirmationOf,
  createSteps,
  LONG_DETAILS,
  paymentKeys,
  readAll,
  readObjects,
  required,
  type Steps,
} from './gateway.testing.ts';
import type {
  AccountSetup,
  CardDetails,
  DebtRequest,
  Gateway,
  GatewayErrorKind,
  PaymentDetails,
  PaymentRequest,
} from './gateway.ts';

const { amountMinor, currency } = CONTRACT_AMOUNT;
/** The gateways whose banks can ask the customer, as far as the adapters know it. */
const ASKING: readonly string[] = ['sandbox', 'stripe'];

/**
 * The test suite for any adapter, of gateways that take cards, accounts or both. `makeGateway` runs once, and its
 * result is closed after the tests. A gateway that does not list the objects of a debt must refuse to capture it twice
 * instead.
 */
export function describeGatewayContract(
  { name, methods, isReal, capturesDebtsOnce }: Pick<GatewayEntry, 'name' | 'methods' | 'isReal' | 'capturesDebtsOnce'>,
  makeGateway: () => Promise<ContractSubject>,
): void {
  const listsDebts = !capturesDebtsOnce;
  describe(`gateway contract: ${name}`, () => {
    let made: ContractSubject | undefined;
    beforeAll(async () => {
      made = await makeGateway();
    });
    afterAll(() => made?.close());

    const steps = createSteps(() => {
      if (!made) throw new Error('The gateway was not made.');
      return made;
    });
    if (methods.includes('Card')) describe('tokenize', () => testTokenize(steps));
    else describe('tokenize', () => testNoCards(steps));
    if (methods.includes('paypal')) describe('vault', () => testVault(steps, isReal));
    describe('create', () => testCreate(steps));
    describe('confirm', () => testConfirm(steps));
    describe('decline and cancel', () => testDeclineAndCancel(steps));
    if (ASKING.includes(name)) describe('requires action', () => testRequiresAction(steps));
    describe('find', () => testFind(steps));
    if (listsDebts) describe('debts', () => testDebts(steps));
    describe('detach', () => testDetach(steps));
    describe('refund', () => testRefund(steps));
    describe('books', () => {
      testBooks(steps);
      testPaymentList(steps, listsDebts);
    });
  });
}

/** Asserts that the call rejects with a `GatewayError` of that kind. */
export async function expectGatewayError(call: Promise<unknown>, kind: GatewayErrorKind): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'GatewayError', kind });
}

/** The sources of a gateway that takes cards: each charge has a card of its own. */
export function sourcesOfCards(
  gateway: Gateway,
  cards: { succeeding: CardDetails; declining: CardDetails },
): Pick<ContractSubject, 'cards' | 'succeedingSource' | 'decliningSource'> {
  return {
    cards,
    succeedingSource: async () => (await gateway.tokenizeCard(cards.succeeding)).token,
    decliningSource: async () => (await gateway.tokenizeCard(cards.declining)).token,
  };
}

function testTokenize({ subject, gateway }: Steps): void {
  const cards = () => required(subject().cards);

  test('returns the brand and a token that does not contain the number', async () => {
    const { succeeding } = cards();
    const card = await gateway().tokenizeCard(succeeding);
    expect(card.token).not.toContain(succeeding.number);
    expect(card.token.length).toBeGreaterThan(0);
    expect(card.brand).toBe('visa');
  });

  test('accepts a card that will be declined when it is charged', async () => {
    await expect(gateway().tokenizeCard(cards().declining)).resolves.toHaveProperty('token');
  });

  test('rejects an invalid number without repeating it', async () => {
    const card = { ...cards().succeeding, number: '4242424242424241' };
    await expectGatewayError(gateway().tokenizeCard(card), 'rejected');
    await expect(gateway().tokenizeCard(card)).rejects.not.toThrow(/4242/);
  });
}

function testNoCards({ gateway }: Steps): void {
  test('rejects every card, without repeating its number', async () => {
    const holder = { companyId: randomUUID(), customer: null };
    const validity = { securityCode: '737', expMonth: 12, expYear: 2035 };
    const card = { number: '4242424242424242', ...validity, name: 'Ada Lovelace', country: 'GB', holder };
    await expectGatewayError(gateway().tokenizeCard(card), 'rejected');
    await expect(gateway().tokenizeCard(card)).rejects.not.toThrow(/4242/);
  });
}

function testVault({ subject, gateway, requestFor }: Steps, isReal: boolean): void {
  const vault = (setup: AccountSetup) => required(gateway().vaultAccount?.(setup));
  const accounts = () => required(subject().accounts);

  test('returns a token that can be charged, and the name by which the holder knows the account', async () => {
    const setup = await accounts().approve();
    const account = await vault(setup);
    expect(account.email).toMatch(accounts().email);
    expect(account.token).not.toContain(setup.setupToken);
    const request = await requestFor(Promise.resolve(account.token));
    const { id } = await gateway().createPayment(request);
    const confirmation = confirmationOf(id, randomUUID(), account.token);
    expect(await gateway().confirmPayment(confirmation)).toMatchObject({ status: 'captured' });
  });

  test('returns the same account for the same setup token, also ten times at once', async () => {
    const setup = await accounts().approve();
    const all = await Promise.all(Array.from({ length: 10 }, () => vault(setup)));
    expect(new Set(all.map(({ token }) => token)).size).toBe(1);
    expect(await vault(setup)).toEqual(all[0]);
  });

  // Where no money moves, every setup token stands for an account.
  if (!isReal) return;
  test.each(['setup_unknown', '../captures', ''])('rejects the unknown setup token %o', async (setupToken) => {
    const { holder } = await accounts().approve();
    await expectGatewayError(vault({ setupToken, holder }), 'rejected');
  });
}

function testCreate({ subject, gateway, requestFor, create }: Steps): void {
  test('moves no money', async () => {
    const payment = await create();
    const untouched = { status: 'created', capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
    expect(payment).toMatchObject(untouched);
    expect(await subject().countCaptures(payment.id)).toBe(0);
  });

  test('returns the same payment for the same key, also with the longest debt and details', async () => {
    const long = { debt: `ref:${randomUUID()}:${'ä'.repeat(300)}`, sequence: 999_999, details: LONG_DETAILS };
    const request = { ...(await requestFor(subject().succeedingSource())), ...long };
    const first = await gateway().createPayment(request);
    expect(await gateway().createPayment(request)).toEqual(first);
  });

  test('creates one payment for ten simultaneous equal requests', async () => {
    const request = await requestFor(subject().succeedingSource());
    const payments = await Promise.all(Array.from({ length: 10 }, () => gateway().createPayment(request)));
    expect(new Set(payments.map((payment) => payment.id)).size).toBe(1);
  });

  test.each([{ amountMinor: 5n }, { currency: 'EUR' }, { reference: 'another' }])(
    'accepts a repeated key with %o, although it can’t report the difference',
    async (change) => {
      const request = await requestFor(subject().succeedingSource());
      await gateway().createPayment(request);
      await expectGatewayError(gateway().createPayment({ ...request, ...change }), 'conflict');
    },
  );

  test('rejects an unknown token', async () => {
    const request = await requestFor(subject().succeedingSource());
    await expectGatewayError(gateway().createPayment({ ...request, sourceToken: 'card_unknown' }), 'rejected');
  });

  test.each([0n, -5n])('rejects an amount of %s', async (amount) => {
    const request = await requestFor(subject().succeedingSource());
    await expectGatewayError(gateway().createPayment({ ...request, amountMinor: amount }), 'rejected');
  });
}

function testConfirm({ subject, gateway, create, confirm }: Steps): void {
  test('captures the amount and currency that the payment was created with', async () => {
    const { id } = await create();
    const captured = { id, status: 'captured', capturedAmountMinor: amountMinor, capturedCurrency: currency };
    expect(await confirm(id)).toEqual({ ...captured, declineCode: null });
    expect(await gateway().findPayment(id)).toMatchObject(captured);
    expect(await subject().countCaptures(id)).toBe(1);
  });

  test('captures once however often it is repeated, with the same key or with others', async () => {
    const { id } = await create();
    const key = randomUUID();
    const first = await confirm(id, key);
    expect(await confirm(id, key)).toEqual(first);
    expect(await confirm(id)).toEqual(first);
    expect(await subject().countCaptures(id)).toBe(1);
  });

  test.each(['the same key', 'different keys'])(
    'captures once when confirmed 20 times in parallel with %s',
    async (keys) => {
      const { id } = await create();
      const shared = randomUUID();
      const once = () => confirm(id, keys === 'the same key' ? shared : randomUUID());
      const answers = await Promise.all(Array.from({ length: 20 }, once));
      expect(answers.every((payment) => payment.status === 'captured')).toBe(true);
      expect(await subject().countCaptures(id)).toBe(1);
    },
  );

  test('does not accept a key that belongs to another payment', async () => {
    const key = randomUUID();
    await confirm((await create()).id, key);
    const { id } = await create();
    await expectGatewayError(confirm(id, key), 'conflict');
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('rejects an unknown payment', async () => {
    await expectGatewayError(confirm('payment_unknown'), 'rejected');
  });
}

function testDeclineAndCancel({ subject, gateway, create, confirm }: Steps): void {
  test('a declined payment carries the reason of the bank and takes no money', async () => {
    const { decliningSource, declineCode, countCaptures, remembersDeclines } = subject();
    const created = await create(decliningSource());
    const { id } = created;
    const declined = { id, status: 'declined', capturedAmountMinor: null, capturedCurrency: null, declineCode };
    expect(await confirm(id)).toEqual(declined);
    expect(await gateway().findPayment(id)).toEqual(remembersDeclines ? declined : created);
    expect(await countCaptures(id)).toBe(0);
  });

  test('nothing can capture it after decline and cancel', async () => {
    const { decliningSource, countCaptures } = subject();
    const { id } = await create(decliningSource());
    await confirm(id);
    expect(await gateway().cancelPayment(id)).toMatchObject({ id, status: 'canceled', declineCode: null });
    await expectGatewayError(confirm(id), 'rejected');
    expect(await gateway().findPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await countCaptures(id)).toBe(0);
  });

  test('a payment canceled before its confirmation cannot be captured', async () => {
    const { id } = await create();
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    await expectGatewayError(confirm(id), 'rejected');
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('canceling a captured payment returns it as captured', async () => {
    const { id } = await create();
    const captured = await confirm(id);
    expect(await gateway().cancelPayment(id)).toEqual(captured);
    expect(await gateway().findPayment(id)).toEqual(captured);
  });

  test('either a confirmation or a simultaneous cancellation succeeds, and both books agree', async () => {
    const { id } = await create();
    const [confirmed, canceled] = await Promise.allSettled([confirm(id), gateway().cancelPayment(id)]);
    const final = await gateway().findPayment(id);
    expect(canceled).toMatchObject({ status: 'fulfilled', value: final });
    expect(await subject().countCaptures(id)).toBe(final?.status === 'captured' ? 1 : 0);
    expect(confirmed.status).toBe(final?.status === 'captured' ? 'fulfilled' : 'rejected');
  });

  test('canceling an unknown payment is rejected', async () => {
    await expectGatewayError(gateway().cancelPayment('payment_unknown'), 'rejected');
  });
}

function testFind({ gateway, create }: Steps): void {
  test('returns a payment by its id', async () => {
    const payment = await create();
    expect(await gateway().findPayment(payment.id)).toEqual(payment);
  });

  test.each(['payment_unknown', 'payment_ünknown', '../test/ledger', 'a/b?c#d', ' '])(
    'returns null, or refuses, for the unknown id %o',
    async (id) => {
      const answer = await gateway()
        .findPayment(id)
        .catch((error: Error) => error.name);
      expect([null, 'GatewayError']).toContain(answer);
    },
  );

  test('returns null for a well-formed unknown id', async () => {
    expect(await gateway().findPayment('payment_unknown')).toBeNull();
  });
}

function testRequiresAction({ subject, gateway, requestFor }: Steps): void {
  const asking = () => required(subject().asking);

  async function ask(session: 'on' | 'off' = 'on') {
    const request = await requestFor(asking().source());
    const { id } = await gateway().createPayment(request);
    const confirmation = { ...confirmationOf(id, randomUUID(), request.sourceToken), session };
    return { id, request, confirmation, asked: await gateway().confirmPayment(confirmation) };
  }

  test.each(['on', 'off'] as const)('waits for the customer %s session, and moves no money', async (session) => {
    const { id, confirmation, asked } = await ask(session);
    const action = { clientSecret: expect.stringMatching(/^.{10,}$/), redirectUrl: expect.toSatisfy(isUrlOrNull) };
    const nothing = { capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
    expect(asked).toEqual({ id, status: 'requires_action', ...nothing, action });
    expect(await gateway().findPayment(id)).toEqual(asked);
    expect(await gateway().confirmPayment(confirmation)).toEqual(asked);
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('is captured once after the customer has confirmed, also for who asks again', async () => {
    const { id, request, asked } = await ask();
    await asking().answer(asked, 'succeed');
    const captured = { id, status: 'captured', capturedAmountMinor: amountMinor, capturedCurrency: currency };
    expect(await gateway().findPayment(id)).toMatchObject(captured);
    expect(await gateway().cancelPayment(id)).toMatchObject(captured);
    expect(await gateway().listPaymentsOfDebt(debtOf(request))).toMatchObject([captured]);
    expect(await subject().countCaptures(id)).toBe(1);
  });

  test('is declined after the customer has refused, and can be canceled', async () => {
    const { id, asked } = await ask();
    await asking().answer(asked, 'fail');
    const declined = { status: 'declined', declineCode: 'authentication_failed' };
    expect(await gateway().findPayment(id)).toMatchObject(declined);
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('a canceled one can’t be confirmed', async () => {
    const { id, request, asked } = await ask();
    expect(await gateway().listPaymentsOfDebt(debtOf(request))).toMatchObject([{ id, status: 'requires_action' }]);
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    await expect(asking().answer(asked, 'succeed')).rejects.toThrow();
    expect(await gateway().findPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await subject().countCaptures(id)).toBe(0);
  });
}

function isUrlOrNull(value: unknown): boolean {
  return value === null || (typeof value === 'string' && URL.canParse(value));
}

function debtOf({ debt, sourceToken }: PaymentRequest): DebtRequest {
  return { debt, companyId: randomUUID(), customer: null, sourceTokens: [sourceToken], known: [] };
}

function testDebts({ subject, gateway, requestFor, confirm }: Steps): void {
  const listed = (debt: string, sourceTokens: string[], known: DebtRequest['known'] = []) =>
    gateway().listPaymentsOfDebt({ debt, companyId: randomUUID(), customer: null, sourceTokens, known });

  // Security (Disks, upgrades and restores): Every gateway with a list shows all objects of a debt, in any state
  test('lists every object of a debt with its state, number, reference and details, and no other debt', async () => {
    const first = await requestFor(subject().succeedingSource());
    const { debt, sourceToken } = first;
    const other = { ...(await requestFor(Promise.resolve(sourceToken))), debt: `${debt}x` };
    await gateway().createPayment(other);
    expect(await listed(debt, [sourceToken])).toEqual([]);

    const details: PaymentDetails = {
      ...{
        installation: randomUUID(),
        companyExternalId: `x${'😀'.repeat(254)}`,
        invoiceId: randomUUID(),
        invoiceNumber: 'INV-000042',
        total: '24.99',
        taxRate: '20',
      },
      ...{ creditMinor: '500', usage: '2026-09:12.50,2026-10:8.32' },
    };
    const made = [];
    for (const sequence of [1, 2, 3]) {
      const request = { ...first, ...paymentKeys(), debt, sequence, details };
      made.push({ reference: request.reference, ...(await gateway().createPayment(request)) });
    }
    const [canceled, captured] = made.map(({ id }) => id);
    await gateway().cancelPayment(required(canceled));
    await confirm(required(captured));
    const refund = { gatewayPaymentId: required(captured), amountMinor: 500n, reference: randomUUID() };
    await gateway().refundPayment({ ...refund, idempotencyKey: randomUUID() });
    const found = await listed(debt, [sourceToken]);
    const said = made.map(({ id, reference }, index) => ({ id, reference, sequence: index + 1, details }));
    expect(found.toSorted((one, next) => Number(one.sequence) - Number(next.sequence))).toMatchObject([
      { ...said[0], status: 'canceled', refundedMinor: 0n },
      {
        ...said[1],
        status: 'captured',
        capturedAmountMinor: amountMinor,
        capturedCurrency: currency,
        refundedMinor: 500n,
      },
      { ...said[2], status: 'created', refundedMinor: 0n },
    ]);
  });

  test('lists all of them, however many the company has and however long their details are', async () => {
    const first = await requestFor(subject().succeedingSource());
    const made = await Promise.all(
      Array.from({ length: 105 }, (_, index) =>
        gateway().createPayment({
          ...first,
          ...paymentKeys(),
          debt: first.debt,
          sequence: index + 1,
          details: LONG_DETAILS,
        }),
      ),
    );
    const found = await listed(first.debt, [first.sourceToken]);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)));
    for (const { details } of found) expect(details).toEqual(LONG_DETAILS);
  });

  test('lists an object whose debt has a long name with any characters', async () => {
    const debt = `ref:${randomUUID()}:${'Größe 大 '.repeat(30)}`;
    const request = {
      ...(await requestFor(subject().succeedingSource())),
      ...{ debt, idempotencyKey: `${debt}-1-create` },
    };
    const { id } = await gateway().createPayment(request);
    expect(await gateway().createPayment(request)).toMatchObject({ id });
    const confirmation = confirmationOf(id, `${debt}-1-confirm`, request.sourceToken);
    expect(await gateway().confirmPayment(confirmation)).toMatchObject({ status: 'captured' });
    expect(await listed(request.debt, [request.sourceToken])).toMatchObject([{ id, status: 'captured' }]);
  });
}

function testDetach({ subject, gateway, requestFor }: Steps): void {
  test('a detached source can’t be charged, another one can, and detaching twice is not an error', async () => {
    const detachSource = required(gateway().detachSource);
    const [gone, kept] = [
      await requestFor(subject().succeedingSource()),
      await requestFor(subject().succeedingSource()),
    ];
    const { id } = await gateway().createPayment(gone);
    await detachSource(gone.sourceToken);
    await detachSource(gone.sourceToken);
    const refused = gateway().confirmPayment(confirmationOf(id, randomUUID(), gone.sourceToken));
    const answer = await refused.catch((error: Error) => ({ status: error.name }));
    expect(['declined', 'GatewayError']).toContain(answer.status);
    expect(await subject().countCaptures(id)).toBe(0);
    const other = await gateway().createPayment(kept);
    const confirmation = confirmationOf(other.id, randomUUID(), kept.sourceToken);
    expect(await gateway().confirmPayment(confirmation)).toMatchObject({ status: 'captured' });
  });
}

function testRefund({ gateway, create, confirm }: Steps): void {
  async function capture(): Promise<string> {
    const { id } = await create();
    await confirm(id);
    return id;
  }
  const refund = (gatewayPaymentId: string, amount: bigint, idempotencyKey: string = randomUUID()) =>
    gateway().refundPayment({ gatewayPaymentId, amountMinor: amount, idempotencyKey, reference: idempotencyKey });

  test('refunds a part and the rest, but never more than was captured', async () => {
    const id = await capture();
    expect(await refund(id, 999n)).toMatchObject({ amountMinor: 999n, currency });
    await expectGatewayError(refund(id, 1_001n), 'rejected');
    expect(await refund(id, 1_000n)).toMatchObject({ amountMinor: 1_000n, currency });
    await expectGatewayError(refund(id, 1n), 'rejected');
  });

  test('refunds once for the same key', async () => {
    const id = await capture();
    const key = randomUUID();
    const first = await refund(id, amountMinor, key);
    expect(await refund(id, amountMinor, key)).toEqual(first);
    await expectGatewayError(refund(id, 1n, key), 'conflict');
  });

  test('never refunds more than was captured in ten simultaneous requests', async () => {
    const id = await capture();
    const refunds = await Promise.allSettled(Array.from({ length: 10 }, () => refund(id, 700n)));
    expect(refunds.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
  });

  test('lists a payment’s refunds oldest first, and none for an unknown payment', async () => {
    const [id, key] = [await capture(), randomUUID()];
    await refund(await capture(), 1n);
    const [first, second] = [await refund(id, 700n, key), await refund(id, 300n)];
    const entry = { gatewayPaymentId: id, createdAt: expect.any(Date), details: {} };
    expect(await gateway().listRefundsOf(id)).toMatchObject([
      { ...first, ...entry, reference: key },
      { ...second, ...entry, reference: expect.any(String) },
    ]);
    expect(await gateway().listRefundsOf('payment_unknown')).toEqual([]);
  });

  test('shows who requested a refund, and its credit note', async () => {
    const [gatewayPaymentId, reference, key] = [await capture(), randomUUID(), randomUUID()];
    const details = { key, creditNoteId: randomUUID(), creditNoteNumber: 'CN-000042' };
    const request = { gatewayPaymentId, amountMinor: 700n, reference, details, idempotencyKey: `${reference} ${key}` };
    const { id } = await gateway().refundPayment(request);
    expect(await gateway().refundPayment(request)).toMatchObject({ id });
    expect(await gateway().listRefundsOf(gatewayPaymentId)).toMatchObject([{ id, reference, details }]);
    expect(await gateway().findRefund(gatewayPaymentId, reference)).toMatchObject({ id });
  });

  test('rejects a payment that was not captured, and an unknown one', async () => {
    const { id } = await create();
    await expectGatewayError(refund(id, 1n), 'rejected');
    await expectGatewayError(refund('payment_unknown', 1n), 'rejected');
  });
}

function testBooks({ gateway, create, confirm }: Steps): void {
  async function refundOne() {
    const { id: gatewayPaymentId } = await create();
    await confirm(gatewayPaymentId);
    const reference = randomUUID();
    const details = { key: randomUUID(), creditNoteId: randomUUID(), reason: 'Outage' };
    const request = { gatewayPaymentId, amountMinor: 700n, reference, idempotencyKey: randomUUID(), details };
    return { ...request, refund: await gateway().refundPayment(request) };
  }

  test('find a refund by its reference, and return null if there is none', async () => {
    const { gatewayPaymentId, reference, refund } = await refundOne();
    expect(await gateway().findRefund(gatewayPaymentId, reference)).toEqual(refund);
    expect(await gateway().findRefund(gatewayPaymentId, randomUUID())).toBeNull();
    const other = await create();
    expect(await gateway().findRefund(other.id, reference)).toBeNull();
  });

  test('list refunds with what they were for, and how much of a payment is refunded', async () => {
    const { gatewayPaymentId, reference, refund, details } = await refundOne();
    const listed = await readObjects(gateway());
    const entry = { kind: 'refund', status: 'succeeded', ...refund, gatewayPaymentId, reference, details };
    const ofPayment = listed.filter((object) => [gatewayPaymentId, refund.id].includes(object.id));
    expect(ofPayment).toEqual([
      expect.objectContaining({ kind: 'payment', status: 'captured', refundedMinor: 700n }),
      { ...entry, createdAt: expect.any(Date) },
    ]);
  });

  test('list nothing outside the interval', async () => {
    await refundOne();
    const earlier = { from: new Date(Date.now() - 7_200_000), to: anHourAgo() };
    expect(await readAll((query) => gateway().listPayments(query), earlier)).toEqual([]);
    expect(await readAll((query) => gateway().listRefunds(query), earlier)).toEqual([]);
  });

  test('list more than a page, with each entry once', async () => {
    const { gatewayPaymentId } = await refundOne();
    for (let count = 0; count < 110; count += 1) {
      const key = randomUUID();
      await gateway().refundPayment({ gatewayPaymentId, amountMinor: 1n, reference: key, idempotencyKey: key });
    }
    const ids = (await readAll((query) => gateway().listRefunds(query)))
      .filter((entry) => entry.gatewayPaymentId === gatewayPaymentId)
      .map(({ id }) => id);
    expect(ids).toHaveLength(111);
    expect(new Set(ids).size).toBe(111);
  });
}

function testPaymentList({ gateway, create, confirm, requestFor, subject }: Steps, listsDebts: boolean): void {
  test('list a capture with what it was for', async () => {
    const invoiceId = randomUUID();
    const request = { ...(await requestFor(subject().succeedingSource())), details: { invoiceId } };
    const { id } = await gateway().createPayment(request);
    const listed = async () =>
      (await readAll((query) => gateway().listPayments(query))).filter((entry) => entry.id === id);
    const { reference, debt, sequence } = request;
    const open = { capturedAmountMinor: null, capturedCurrency: null, declineCode: null, refundedMinor: 0n };
    const asked = { kind: 'payment', id, reference, debt, sequence, amountMinor, currency };
    const told = { ...asked, details: { invoiceId }, createdAt: expect.any(Date) };
    expect(await listed()).toEqual(listsDebts ? [{ ...told, ...open, status: 'created' }] : []);
    await gateway().confirmPayment(confirmationOf(id, randomUUID(), request.sourceToken));
    const captured = { status: 'captured', capturedAmountMinor: amountMinor, capturedCurrency: currency };
    expect(await listed()).toEqual([{ ...told, ...open, ...captured }]);
  });

  if (listsDebts)
    test('list payments that took no money with their states', async () => {
      const declined = await create(subject().decliningSource());
      await confirm(declined.id);
      const canceled = await create();
      await gateway().cancelPayment(canceled.id);
      const listed = await readAll((query) => gateway().listPayments(query));
      const { declineCode } = subject();
      expect(listed.find(({ id }) => id === declined.id)).toMatchObject({ status: 'declined', declineCode });
      expect(listed.find(({ id }) => id === canceled.id)).toMatchObject({ status: 'canceled', refundedMinor: 0n });
    });
}
