import { describe, expect, it } from 'vitest';
import type { LedgerRows } from '../../src/gateways/sandbox/bank/bank.queries.ts';
import type { Books, PaymentRecord } from './invariants.books.ts';
import { checkCollection } from './invariants.collection.ts';
import { checkNumbers } from './invariants.numbers.ts';
import { judge } from './invariants.ts';
import { checkDeliveries } from './invariants.webhooks.ts';

const company = 'company-1';
const card = { token: 'card_1', brand: 'visa', firstFour: '4242', lastFour: '4242', declineCode: null };
const amount = { amountMinor: 4_800n, currency: 'USD' };

/** One invoice, paid in full. Both books agree. */
function paid(): { books: Books; ledger: LedgerRows; payment: PaymentRecord } {
  const payment = {
    companyId: company,
    id: 'payment-1',
    invoiceId: 'invoice-1',
    cardId: 'card-1' as string | null,
    paypalAccountId: null as string | null,
    gateway: 'sandbox',
    gatewayToken: card.token,
    gatewayPaymentId: 'object_1',
    ...amount,
    creditMinor: 0n,
    overpaidMinor: 0n,
    isPart: false,
    state: 'captured',
    alerts: [] as string[],
  };
  const object = {
    id: 'object_1',
    ...amount,
    sourceToken: card.token,
    reference: payment.id,
    declineCode: null,
    debt: null,
  };
  return {
    payment,
    books: {
      companies: [{ id: company, creditMinor: null, creditCurrency: null }],
      credits: [],
      invoices: [
        {
          companyId: company,
          id: 'invoice-1',
          status: 'Succeeded',
          totalMinor: 4_800n,
          creditedBeforeMinor: 0n,
          creditedMinor: 0n,
          creditNotesMinor: 0n,
          partPaidMinor: 0n,
          currency: 'USD',
          paymentId: payment.id,
          debt: 'ref:company:invoice-1',
          isVoid: false,
        },
      ],
      payments: [payment],
      cards: [{ companyId: company, id: 'card-1', gatewayToken: card.token, hasAddress: true }],
      accounts: [],
      transitions: [],
    },
    ledger: {
      cards: [card],
      accounts: [],
      payments: [{ ...object, status: 'captured' }],
      captures: [{ id: 'capture_1', paymentId: 'object_1', ...amount }],
      refunds: [],
    },
  };
}

/** The same, paid from a PayPal account. */
function paidByPaypal() {
  const setting = paid();
  const { books, ledger, payment } = setting;
  Object.assign(payment, { cardId: null, paypalAccountId: 'account-1', gatewayToken: 'account_1' });
  Object.assign(ledger.payments[0] ?? {}, { sourceToken: 'account_1' });
  books.accounts.push({ companyId: company, id: 'account-1', gatewayToken: 'account_1' });
  return setting;
}

/** The same after a decline. */
function failed() {
  const books = paid();
  Object.assign(books.payment, { state: 'failed' });
  Object.assign(books.books.invoices[0] ?? {}, { status: 'Failed', paymentId: null });
  books.ledger.captures = [];
  Object.assign(books.ledger.payments[0] ?? {}, { status: 'canceled' });
  return books;
}

/** Lets the gateway capture the debt with a second object that no payment of ours has. */
function captureAgain(ledger: Setting['ledger']): void {
  const debt = 'ref:company:invoice-1';
  for (const object of ledger.payments) object.debt = debt;
  const [object] = ledger.payments;
  const [capture] = ledger.captures;
  if (object === undefined || capture === undefined) throw new Error('There is no capture.');
  ledger.payments.push({ ...object, id: 'object_2', reference: 'lost' });
  ledger.captures.push({ ...capture, id: 'capture_2', paymentId: 'object_2' });
}

/** Paid with a credit of 10.00 and the rest by card. 5.00 of the credit are left. */
function paidWithCredit() {
  const setting = paid();
  const { books, ledger, payment } = setting;
  Object.assign(payment, { amountMinor: 3_800n, creditMinor: 1_000n });
  for (const row of [...ledger.payments, ...ledger.captures]) Object.assign(row, { amountMinor: 3_800n });
  const entry = { companyId: company, currency: 'USD', paymentId: null };
  books.credits = [
    { ...entry, kind: 'grant', amountMinor: 1_500n },
    { ...entry, kind: 'consumption', amountMinor: -1_000n, paymentId: payment.id },
  ];
  books.companies = [{ id: company, creditMinor: 500n, creditCurrency: 'USD' }];
  return setting;
}

/** Paid after a credit note of 8.00, so with 40.00. Another credit note of 5.00 came afterwards. */
function paidLess() {
  const setting = paid();
  const { books, ledger, payment } = setting;
  Object.assign(payment, { amountMinor: 4_000n });
  for (const row of [...ledger.payments, ...ledger.captures]) Object.assign(row, { amountMinor: 4_000n });
  edit(books, { creditedBeforeMinor: 800n, creditedMinor: 1_300n, creditNotesMinor: 1_300n });
  return setting;
}

/** It waits for the customer, or is a debit on its way, and holds a credit of 10.00. */
function waiting(status: 'requires_action' | 'processing') {
  const setting = paidWithCredit();
  const { books, ledger, payment } = setting;
  Object.assign(payment, { state: status });
  edit(books, { status: 'Processing', paymentId: null });
  Object.assign(first(ledger.payments), { status });
  ledger.captures = [];
  return setting;
}

type Setting = ReturnType<typeof paid>;
const first = <T>(rows: T[]): T => rows[0] as T;

describe('the checks of the charge', () => {
  it('find nothing in books that agree', () => {
    expect(judge(paid().books, paid().ledger)).toEqual([]);
    expect(judge(failed().books, failed().ledger)).toEqual([]);
    expect(judge(paidWithCredit().books, paidWithCredit().ledger)).toEqual([]);
    expect(judge(paidLess().books, paidLess().ledger)).toEqual([]);
    expect(judge(paidByPaypal().books, paidByPaypal().ledger)).toEqual([]);
    for (const status of ['requires_action', 'processing'] as const)
      expect(judge(waiting(status).books, waiting(status).ledger)).toEqual([]);
  });

  it.each<[string, string, (setting: Setting) => void]>([
    ['I17', 'a debt captured twice, once by an object that the books have lost', ({ ledger }) => captureAgain(ledger)],
    [
      'I18',
      'a Failed invoice whose debt was captured by an object that the books have lost',
      ({ books, ledger }) => {
        edit(books, { status: 'Failed', paymentId: null });
        captureAgain(ledger);
      },
    ],
    ['I1', 'a second capture', ({ ledger }) => addCapture(ledger)],
    ['I1', 'another amount', ({ ledger }) => Object.assign(first(ledger.captures), { amountMinor: 4_801n })],
    ['I1', 'another currency', ({ ledger }) => Object.assign(first(ledger.captures), { currency: 'EUR' })],
    ['I2', 'no capture at the gateway', ({ ledger }) => ledger.captures.splice(0)],
    ['I2', 'a captured payment, not Succeeded', ({ books }) => edit(books, { status: 'Processing', paymentId: null })],
    ['I2', 'no captured payment', ({ payment }) => Object.assign(payment, { state: 'sending' })],
    ['I2', 'another payment named', ({ books }) => edit(books, { paymentId: 'payment-2' })],
    [
      'I3',
      'a capture that nobody owns',
      ({ ledger }) => Object.assign(first(ledger.payments), { reference: 'nobody' }),
    ],
    ['I3', 'two owners', ({ books, payment }) => books.payments.push({ ...payment, id: 'payment-2', state: 'failed' })],
    ['I3', 'an object not written down', ({ payment }) => Object.assign(payment, { gatewayPaymentId: null })],
    ['I7', 'an edited invoice', ({ books }) => edit(books, { totalMinor: 1n })],
    ['I7', 'a missingRow card', ({ books }) => books.cards.splice(0)],
    ['I7', 'a missingRow address', ({ books }) => Object.assign(first(books.cards), { hasAddress: false })],
    ['I8', 'a review without an alert', ({ payment }) => Object.assign(payment, { state: 'needs_review' })],
    [
      'I8',
      'a review whose alert is about something else',
      ({ payment }) => Object.assign(payment, { state: 'needs_review', alerts: ['gateway_unauthorized'] }),
    ],
    ['I10', 'a card of another company', ({ books }) => Object.assign(first(books.cards), { companyId: 'other' })],
    ['I10', 'an invoice of another company', ({ books }) => edit(books, { companyId: 'other' })],
    [
      'I10',
      'the token of another card',
      ({ ledger }) => Object.assign(first(ledger.payments), { sourceToken: 'card_2' }),
    ],
  ])('%s: find %s', (invariant, _what, breakIt) => {
    const setting = paid();
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it.each<[string, string, (setting: Setting) => void]>([
    ['I7', 'a missingRow account', ({ books }) => books.accounts.splice(0)],
    ['I7', 'a card beside it', ({ payment }) => Object.assign(payment, { cardId: 'card-1' })],
    ['I7', 'neither it nor a card', ({ payment }) => Object.assign(payment, { paypalAccountId: null })],
    ['I10', 'one of another company', ({ books }) => Object.assign(first(books.accounts), { companyId: 'other' })],
    ['I10', 'the token of another', ({ books }) => Object.assign(first(books.accounts), { gatewayToken: 'account_2' })],
    ['I10', 'another one charged', ({ ledger }) => Object.assign(first(ledger.payments), { sourceToken: 'account_2' })],
  ])('%s: find, for a payment from a PayPal account, %s', (invariant, _what, breakIt) => {
    const setting = paidByPaypal();
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it.each<[string, string, (setting: Setting) => void]>([
    ['I1', 'the whole total captured', ({ ledger }) => Object.assign(first(ledger.captures), { amountMinor: 4_800n })],
    ['I7', 'more credit than the total is short of', ({ payment }) => Object.assign(payment, { creditMinor: 1_001n })],
    [
      'I12',
      'a balance that is not the sum',
      ({ books }) => Object.assign(first(books.companies), { creditMinor: 501n }),
    ],
    ['I12', 'a sum below zero', ({ books }) => Object.assign(first(books.credits), { amountMinor: 999n })],
    ['I12', 'credit in two currencies', ({ books }) => Object.assign(first(books.credits), { currency: 'EUR' })],
    ['I12', 'credit that was not taken', ({ books }) => books.credits.splice(1)],
    ['I12', 'credit that was taken twice', ({ books }) => books.credits.push(books.credits[1] ?? first(books.credits))],
    ['I12', 'a failed payment that returned no credit', ({ payment }) => Object.assign(payment, { state: 'failed' })],
    [
      'I12',
      'a captured payment that returned credit',
      ({ books, payment }) =>
        books.credits.push({ ...first(books.credits), kind: 'return', amountMinor: 1_000n, paymentId: payment.id }),
    ],
  ])('%s: find, for a payment with credit, %s', (invariant, _what, breakIt) => {
    const setting = paidWithCredit();
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it.each<[string, string, (setting: Setting) => void]>([
    ['I1', 'the whole total captured', ({ ledger }) => Object.assign(first(ledger.captures), { amountMinor: 4_800n })],
    [
      'I1',
      'what came later taken off too',
      ({ ledger }) => Object.assign(first(ledger.captures), { amountMinor: 3_500n }),
    ],
    ['I7', 'a payment of the whole total', ({ payment }) => Object.assign(payment, { amountMinor: 4_800n })],
    ['I13', 'a note that the invoice does not know', ({ books }) => edit(books, { creditedMinor: 800n })],
    [
      'I13',
      'more credited than there was',
      ({ books }) => edit(books, { creditedMinor: 4_801n, creditNotesMinor: 4_801n }),
    ],
    ['I13', 'a note for a payment that is not', ({ books }) => edit(books, { status: 'Processing', paymentId: null })],
  ])('%s: find, for an invoice with credit notes, %s', (invariant, _what, breakIt) => {
    const setting = paidLess();
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it.each<[string, 'requires_action' | 'processing', string, (setting: Setting) => void]>([
    [
      ...(['I20', 'requires_action', 'an object that is canceled'] as const),
      ({ ledger }) => Object.assign(first(ledger.payments), { status: 'canceled' }),
    ],
    [
      ...(['I20', 'processing', 'an object that is canceled'] as const),
      ({ ledger }) => Object.assign(first(ledger.payments), { status: 'canceled' }),
    ],
    ['I20', 'processing', 'no object', ({ payment }) => Object.assign(payment, { gatewayPaymentId: null })],
    [
      ...(['I4', 'requires_action', 'the payment failed, and its object open'] as const),
      ({ payment }) => Object.assign(payment, { state: 'failed' }),
    ],
    [
      ...(['I4', 'processing', 'the payment failed, and its debit on its way'] as const),
      ({ payment }) => Object.assign(payment, { state: 'failed' }),
    ],
    ['I4', 'processing', 'its invoice Failed', ({ books }) => edit(books, { status: 'Failed' })],
    ['I4', 'processing', 'its invoice void', ({ books }) => edit(books, { isVoid: true })],
    [
      ...(['I2', 'processing', 'the payment captured'] as const),
      ({ payment }) => Object.assign(payment, { state: 'captured' }),
    ],
    ['I12', 'requires_action', 'its credit not taken', ({ books }) => books.credits.splice(1)],
    [
      ...(['I12', 'processing', 'its credit returned'] as const),
      ({ books, payment }) =>
        books.credits.push({ ...first(books.credits), kind: 'return', amountMinor: 1_000n, paymentId: payment.id }),
    ],
  ])('%s: find, for a payment that is %s, %s', (invariant, status, _what, breakIt) => {
    const setting = waiting(status);
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it('know the alerts for a payment under review', () => {
    for (const kind of ['payment_mismatch', 'payment_unresolved']) {
      const { books, ledger, payment } = paid();
      Object.assign(payment, { state: 'needs_review', alerts: ['gateway_unauthorized', kind] });
      expect(judge(books, ledger)).not.toContainEqual(expect.stringMatching('^I8 '));
    }
  });

  it.each<[string, (setting: Setting) => void]>([
    ['captured money', ({ ledger }) => ledger.captures.push({ id: 'capture_1', paymentId: 'object_1', ...amount })],
    ['an object that is not canceled', ({ ledger }) => Object.assign(first(ledger.payments), { status: 'declined' })],
    ['a live payment', ({ payment }) => Object.assign(payment, { state: 'unknown' })],
  ])('I4: find a Failed invoice with %s', (_what, breakIt) => {
    const setting = failed();
    breakIt(setting);
    expect(judge(setting.books, setting.ledger)).toContainEqual(expect.stringMatching('^I4 '));
  });

  it.each([
    ['I6', 'payments', 'captured → failed'],
    ['I6', 'payments', 'failed → captured'],
    ['I6', 'invoices', 'Succeeded → Failed'],
    ['I6', 'invoices', 'Failed → Processing'],
    ['I7', 'invoices', 'edited'],
  ])('%s: find %s that went %s', (invariant, table, change) => {
    const { books, ledger } = paid();
    books.transitions.push({ table, id: 'x', invoiceId: 'invoice-1', change, transaction: '7' });
    expect(judge(books, ledger)).toContainEqual(expect.stringMatching(`^${invariant} `));
  });

  it('allow a new payment of a Failed invoice, and refunded money', () => {
    const { books, ledger } = failed();
    const row = { invoiceId: 'invoice-1', transaction: '7' };
    books.transitions.push({ ...row, table: 'invoices', id: 'invoice-1', change: 'Failed → Processing' });
    books.transitions.push({ ...row, table: 'payments', id: 'payment-2', change: '→ created' });
    ledger.captures.push({ id: 'capture_1', paymentId: 'object_1', ...amount });
    ledger.refunds.push({ id: 'refund_1', paymentId: 'object_1', reference: 'refund-1', ...amount });
    Object.assign(first(ledger.payments), { status: 'captured' });
    expect(judge(books, ledger)).toEqual([]);
  });
});

function edit(books: Books, changes: object): void {
  Object.assign(first(books.invoices), changes);
}

function addCapture(ledger: LedgerRows): void {
  ledger.payments.push({ ...first(ledger.payments), id: 'object_2' });
  ledger.captures.push({ id: 'capture_2', paymentId: 'object_2', ...amount });
}

describe('the checks of the collection', () => {
  const sound = { invoiceId: 'invoice-1', attempts: 1, failedPayments: 1, numbers: [1, 2], waitsInVain: false };

  it('find nothing if each recorded attempt began a payment and the next one is running', () => {
    expect(checkCollection(sound)).toEqual([]);
    expect(checkCollection({ ...sound, attempts: 0, failedPayments: 0, numbers: [1] })).toEqual([]);
  });

  it.each([
    ['an attempt that was made twice', { numbers: [1, 2, 2] }],
    ['an attempt that was noted and not made', { failedPayments: 0 }],
    ['attempts that were not noted', { numbers: [1, 3] }],
    ['an invoice that waits for what has ended', { waitsInVain: true }],
  ])('I16: find %s', (_what, changes) => {
    expect(checkCollection({ ...sound, ...changes })).toEqual([expect.stringMatching(/^I16 /)]);
  });
});

describe('the checks of the numbers', () => {
  const sound = { prefix: 'INV-', lastNumber: 3, numbers: ['INV-000003', 'INV-000001', 'INV-000002'] };

  it('find nothing if each number was issued once', () => {
    expect(checkNumbers(sound)).toEqual([]);
  });

  it.each([
    ['a gap', { numbers: ['INV-000001', 'INV-000003'] }],
    ['a number that two documents have', { numbers: [...sound.numbers, 'INV-000002'] }],
    ['a number that is not counted yet', { lastNumber: 2 }],
    ['a number that was counted and not used', { lastNumber: 4 }],
  ])('I19: find %s', (_what, changes) => {
    expect(checkNumbers({ ...sound, ...changes })).toEqual([expect.stringMatching(/^I19 /)]);
  });
});

describe('the checks of the webhooks', () => {
  const events = [{ id: 'event-1', type: 'payment.captured' }];
  const copy = { webhookId: 'event-1', eventId: 'event-1', type: 'payment.captured', body: '{}' };

  it('find nothing if each event was delivered once or twice', () => {
    expect(checkDeliveries(events, [copy, copy])).toEqual([]);
  });

  it.each([
    ['an event that was never delivered', []],
    ['a second delivery with another id', [copy, { ...copy, webhookId: 'event-2' }]],
    ['a second delivery with another body', [copy, { ...copy, body: '{"id":1}' }]],
    ['an event that was not committed', [copy, { ...copy, webhookId: 'event-2', eventId: 'event-2' }]],
  ])('I9: find %s', (_what, heard) => {
    expect(checkDeliveries(events, heard)).toEqual([expect.stringMatching(/^I9 /)]);
  });
});
