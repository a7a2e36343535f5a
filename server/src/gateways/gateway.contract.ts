/** The contract that every payment gateway's adapter passes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  CardDetails,
  Gateway,
  GatewayBookPage,
  GatewayBookRequest,
  GatewayErrorKind,
  GatewayPayment,
  PaymentRequest,
} from './gateway.ts';

export type ContractSubject = {
  gateway: Gateway;
  succeedingCard: CardDetails;
  /** Declined when it is charged, with `declineCode`. */
  decliningCard: CardDetails;
  declineCode: string;
  /** How often money was taken for this payment, in the gateway's own books. */
  countCaptures(gatewayPaymentId: string): Promise<number>;
  close(): Promise<void>;
};

type Steps = {
  subject(): ContractSubject;
  gateway(): Gateway;
  requestFor(card: CardDetails): Promise<PaymentRequest>;
  create(card?: CardDetails): Promise<GatewayPayment>;
};

const amountMinor = 1_999n;
const currency = 'USD';

/** One suite for any adapter; `makeGateway` runs once, before its tests, and what it made is closed after them. */
export function describeGatewayContract(name: string, makeGateway: () => Promise<ContractSubject>): void {
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
    describe('tokenize', () => testTokenize(steps));
    describe('create', () => testCreate(steps));
    describe('confirm', () => testConfirm(steps));
    describe('decline and cancel', () => testDeclineAndCancel(steps));
    describe('find', () => testFind(steps));
    describe('refund', () => testRefund(steps));
    describe('books', () => testBooks(steps));
  });
}

/** Asserts that the call rejects with a `GatewayError` of that kind. */
export async function expectGatewayError(call: Promise<unknown>, kind: GatewayErrorKind): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'GatewayError', kind });
}

function createSteps(subject: () => ContractSubject): Steps {
  const gateway = () => subject().gateway;
  async function requestFor(card: CardDetails): Promise<PaymentRequest> {
    const { token: sourceToken } = await gateway().tokenizeCard(card);
    return { idempotencyKey: randomUUID(), amountMinor, currency, sourceToken, reference: randomUUID() };
  }
  return {
    subject,
    gateway,
    requestFor,
    create: async (card) => gateway().createPayment(await requestFor(card ?? subject().succeedingCard)),
  };
}

function testTokenize({ subject, gateway }: Steps): void {
  test('answers a token that does not contain the number, and the brand', async () => {
    const { succeedingCard } = subject();
    const card = await gateway().tokenizeCard(succeedingCard);
    expect(card.token).not.toContain(succeedingCard.number);
    expect(card.token.length).toBeGreaterThan(0);
    expect(card.brand).toBe('visa');
  });

  test('takes a card that will be declined when it is charged', async () => {
    await expect(gateway().tokenizeCard(subject().decliningCard)).resolves.toHaveProperty('token');
  });

  test('rejects a number that is none, without repeating it', async () => {
    const card = { ...subject().succeedingCard, number: '4242424242424241' };
    await expectGatewayError(gateway().tokenizeCard(card), 'rejected');
    await expect(gateway().tokenizeCard(card)).rejects.not.toThrow(/4242/);
  });
}

function testCreate({ subject, gateway, requestFor, create }: Steps): void {
  test('moves no money', async () => {
    const payment = await create();
    const untouched = { status: 'created', capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
    expect(payment).toMatchObject(untouched);
    expect(await subject().countCaptures(payment.id)).toBe(0);
  });

  test('answers the same payment for the same key', async () => {
    const request = await requestFor(subject().succeedingCard);
    const first = await gateway().createPayment(request);
    expect(await gateway().createPayment(request)).toEqual(first);
  });

  test('makes one payment when the same request comes ten times at once', async () => {
    const request = await requestFor(subject().succeedingCard);
    const payments = await Promise.all(Array.from({ length: 10 }, () => gateway().createPayment(request)));
    expect(new Set(payments.map((payment) => payment.id)).size).toBe(1);
  });

  test.each([{ amountMinor: 5n }, { currency: 'EUR' }, { reference: 'another' }])(
    'rejects the same key with %o',
    async (change) => {
      const request = await requestFor(subject().succeedingCard);
      await gateway().createPayment(request);
      await expectGatewayError(gateway().createPayment({ ...request, ...change }), 'rejected');
    },
  );

  test('rejects an unknown card token', async () => {
    const request = await requestFor(subject().succeedingCard);
    await expectGatewayError(gateway().createPayment({ ...request, sourceToken: 'card_unknown' }), 'rejected');
  });

  test.each([0n, -5n])('rejects an amount of %s', async (amount) => {
    const request = await requestFor(subject().succeedingCard);
    await expectGatewayError(gateway().createPayment({ ...request, amountMinor: amount }), 'rejected');
  });
}

function testConfirm({ subject, gateway, create }: Steps): void {
  test('captures the amount and currency that the payment was created with', async () => {
    const { id } = await create();
    const captured = { id, status: 'captured', capturedAmountMinor: amountMinor, capturedCurrency: currency };
    expect(await gateway().confirmPayment(id, randomUUID())).toEqual({ ...captured, declineCode: null });
    expect(await gateway().findPayment(id)).toMatchObject(captured);
    expect(await subject().countCaptures(id)).toBe(1);
  });

  test('captures once however often it is repeated, with the same key or with others', async () => {
    const { id } = await create();
    const key = randomUUID();
    const first = await gateway().confirmPayment(id, key);
    expect(await gateway().confirmPayment(id, key)).toEqual(first);
    expect(await gateway().confirmPayment(id, randomUUID())).toEqual(first);
    expect(await subject().countCaptures(id)).toBe(1);
  });

  test.each(['the same key', 'different keys'])(
    'captures once when confirmed 20 times at once with %s',
    async (keys) => {
      const { id } = await create();
      const shared = randomUUID();
      const confirm = () => gateway().confirmPayment(id, keys === 'the same key' ? shared : randomUUID());
      const answers = await Promise.all(Array.from({ length: 20 }, confirm));
      expect(answers.every((payment) => payment.status === 'captured')).toBe(true);
      expect(await subject().countCaptures(id)).toBe(1);
    },
  );

  test('rejects the key of another payment', async () => {
    const key = randomUUID();
    await gateway().confirmPayment((await create()).id, key);
    const { id } = await create();
    await expectGatewayError(gateway().confirmPayment(id, key), 'rejected');
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('rejects an unknown payment', async () => {
    await expectGatewayError(gateway().confirmPayment('payment_unknown', randomUUID()), 'rejected');
  });
}

function testDeclineAndCancel({ subject, gateway, create }: Steps): void {
  test('a declined payment carries the reason of the bank and takes no money', async () => {
    const { decliningCard, declineCode, countCaptures } = subject();
    const { id } = await create(decliningCard);
    const declined = { id, status: 'declined', capturedAmountMinor: null, capturedCurrency: null, declineCode };
    expect(await gateway().confirmPayment(id, randomUUID())).toEqual(declined);
    expect(await gateway().findPayment(id)).toEqual(declined);
    expect(await countCaptures(id)).toBe(0);
  });

  test('after decline and cancel nothing can capture it', async () => {
    const { decliningCard, countCaptures } = subject();
    const { id } = await create(decliningCard);
    await gateway().confirmPayment(id, randomUUID());
    expect(await gateway().cancelPayment(id)).toMatchObject({ id, status: 'canceled', declineCode: null });
    await expectGatewayError(gateway().confirmPayment(id, randomUUID()), 'rejected');
    expect(await gateway().findPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await countCaptures(id)).toBe(0);
  });

  test('a payment canceled before its confirmation can not be captured', async () => {
    const { id } = await create();
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await gateway().cancelPayment(id)).toMatchObject({ status: 'canceled' });
    await expectGatewayError(gateway().confirmPayment(id, randomUUID()), 'rejected');
    expect(await subject().countCaptures(id)).toBe(0);
  });

  test('canceling a captured payment answers it as captured', async () => {
    const { id } = await create();
    const captured = await gateway().confirmPayment(id, randomUUID());
    expect(await gateway().cancelPayment(id)).toEqual(captured);
    expect(await gateway().findPayment(id)).toEqual(captured);
  });

  test('of a confirmation and a cancellation at once, one wins and both books agree', async () => {
    const { id } = await create();
    const [confirmed, canceled] = await Promise.allSettled([
      gateway().confirmPayment(id, randomUUID()),
      gateway().cancelPayment(id),
    ]);
    const final = await gateway().findPayment(id);
    expect(canceled).toMatchObject({ status: 'fulfilled', value: final });
    expect(await subject().countCaptures(id)).toBe(final?.status === 'captured' ? 1 : 0);
    expect(confirmed.status).toBe(final?.status === 'captured' ? 'fulfilled' : 'rejected');
  });

  test('rejects canceling an unknown payment', async () => {
    await expectGatewayError(gateway().cancelPayment('payment_unknown'), 'rejected');
  });
}

function testFind({ gateway, create }: Steps): void {
  test('answers a payment by its id', async () => {
    const payment = await create();
    expect(await gateway().findPayment(payment.id)).toEqual(payment);
  });

  test.each(['payment_unknown', 'payment_ünknown', '../test/ledger', 'a/b?c#d', ' '])(
    'answers null, or refuses, for the id %o that it does not know',
    async (id) => {
      const answer = await gateway()
        .findPayment(id)
        .catch((error: Error) => error.name);
      expect([null, 'GatewayError']).toContain(answer);
    },
  );

  test('answers null for a sound id that it does not know', async () => {
    expect(await gateway().findPayment('payment_unknown')).toBeNull();
  });
}

function testRefund({ gateway, create }: Steps): void {
  async function capture(): Promise<string> {
    const { id } = await create();
    await gateway().confirmPayment(id, randomUUID());
    return id;
  }
  const refund = (gatewayPaymentId: string, amount: bigint, idempotencyKey: string = randomUUID()) =>
    gateway().refundPayment({ gatewayPaymentId, amountMinor: amount, idempotencyKey, reference: idempotencyKey });

  test('gives back part and the rest, but never more than was captured', async () => {
    const id = await capture();
    expect(await refund(id, 999n)).toMatchObject({ amountMinor: 999n, currency });
    await expectGatewayError(refund(id, 1_001n), 'rejected');
    expect(await refund(id, 1_000n)).toMatchObject({ amountMinor: 1_000n, currency });
    await expectGatewayError(refund(id, 1n), 'rejected');
  });

  test('gives back once for the same key', async () => {
    const id = await capture();
    const key = randomUUID();
    const first = await refund(id, amountMinor, key);
    expect(await refund(id, amountMinor, key)).toEqual(first);
    await expectGatewayError(refund(id, 1n, key), 'rejected');
  });

  test('never gives back more than was captured when asked ten times at once', async () => {
    const id = await capture();
    const refunds = await Promise.allSettled(Array.from({ length: 10 }, () => refund(id, 700n)));
    expect(refunds.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
  });

  test('lists those of a payment, the oldest first, and none of a payment that is unknown', async () => {
    const [id, key] = [await capture(), randomUUID()];
    await refund(await capture(), 1n);
    const [first, second] = [await refund(id, 700n, key), await refund(id, 300n)];
    const entry = { gatewayPaymentId: id, createdAt: expect.any(Date) };
    expect(await gateway().listRefundsOf(id)).toEqual([
      { ...first, ...entry, reference: key },
      { ...second, ...entry, reference: expect.any(String) },
    ]);
    expect(await gateway().listRefundsOf('payment_unknown')).toEqual([]);
  });

  test('rejects what was not captured, and what is unknown', async () => {
    const { id } = await create();
    await expectGatewayError(refund(id, 1n), 'rejected');
    await expectGatewayError(refund('payment_unknown', 1n), 'rejected');
  });
}

const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** All of one kind, from hour to hour around now: a page at a time. */
async function readAll<Entry>(
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<Entry>>,
  range = { from: anHourAgo(), to: inAnHour() },
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const page: GatewayBookPage<Entry> = await list({ ...range, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return entries;
}

function testBooks({ gateway, create, requestFor, subject }: Steps): void {
  async function refundOne() {
    const { id: gatewayPaymentId } = await create();
    await gateway().confirmPayment(gatewayPaymentId, randomUUID());
    const reference = randomUUID();
    const request = { gatewayPaymentId, amountMinor: 700n, reference, idempotencyKey: randomUUID() };
    return { ...request, refund: await gateway().refundPayment(request) };
  }

  test('find a refund by its reference, and null where there is none', async () => {
    const { gatewayPaymentId, reference, refund } = await refundOne();
    expect(await gateway().findRefund(gatewayPaymentId, reference)).toEqual(refund);
    expect(await gateway().findRefund(gatewayPaymentId, randomUUID())).toBeNull();
    const other = await create();
    expect(await gateway().findRefund(other.id, reference)).toBeNull();
  });

  test('list what was captured, and nothing else', async () => {
    const request = await requestFor(subject().succeedingCard);
    const { id } = await gateway().createPayment(request);
    const listed = async () =>
      (await readAll((query) => gateway().listCaptures(query))).filter((entry) => entry.gatewayPaymentId === id);
    expect(await listed()).toEqual([]);
    await gateway().confirmPayment(id, randomUUID());
    const entry = {
      gatewayPaymentId: id,
      reference: request.reference,
      amountMinor,
      currency,
      createdAt: expect.any(Date),
    };
    expect(await listed()).toEqual([entry]);
  });

  test('list what was given back', async () => {
    const { gatewayPaymentId, reference, refund } = await refundOne();
    const listed = await readAll((query) => gateway().listRefunds(query));
    const entry = { ...refund, gatewayPaymentId, reference, createdAt: expect.any(Date) };
    expect(listed.filter(({ id }) => id === refund.id)).toEqual([entry]);
  });

  test('list nothing of another time', async () => {
    await refundOne();
    const earlier = { from: new Date(Date.now() - 7_200_000), to: anHourAgo() };
    expect(await readAll((query) => gateway().listCaptures(query), earlier)).toEqual([]);
    expect(await readAll((query) => gateway().listRefunds(query), earlier)).toEqual([]);
  });

  test('list more than a page, each entry once', async () => {
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
