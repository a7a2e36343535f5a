/**
 * Checks the charge: what must hold between our books and the gateway's, whatever crashed. Each message begins with the broken invariant,
 * numbered as in docs/internals/charge-tests.md.
 */

import type { LedgerRows } from '../../src/gateways/sandbox/bank/bank.queries.ts';
import type { Db } from '../../src/platform/database/database.ts';
import {
  type AccountRecord,
  type Books,
  type CardRecord,
  type GatewayLedger,
  type InvoiceRecord,
  type PaymentRecord,
  readBooks,
  readLeftToPerson,
} from './invariants.books.ts';
import { findCollectionViolations } from './invariants.collection.ts';
import { checkCredit, checkCreditOf } from './invariants.credit.ts';
import { findLedgerViolations } from './invariants.ledger.ts';
import { findNumberViolations } from './invariants.numbers.ts';
import { checkTransitions } from './invariants.transitions.ts';

/** Compares the two books. No charge may be running. @returns the broken invariants */
export async function findViolations(owner: Db, ledger: GatewayLedger): Promise<string[]> {
  const { waiting, unallocated } = await readLeftToPerson(owner);
  const without = (objects: ReadonlySet<string>) => ledger.captures.filter(({ paymentId }) => !objects.has(paymentId));
  const violations = judge(await readBooks(owner), { ...ledger, captures: without(waiting.union(unallocated)) });
  return [
    ...violations,
    ...(await findLedgerViolations(owner, { ...ledger, captures: without(waiting) })),
    ...(await findCollectionViolations(owner)),
    ...(await findNumberViolations(owner)),
  ];
}

/** Returns what is wrong in these books. */
export function judge(books: Books, ledger: LedgerRows): string[] {
  const view = arrange(books, ledger);
  return [
    ...books.companies.flatMap((company) => checkCredit(books, company)),
    ...books.payments.flatMap((payment) => checkCreditOf(books, payment)),
    ...books.invoices.flatMap((invoice) => [
      ...checkInvoice(view, invoice),
      ...checkFailed(view, invoice),
      ...checkDebt(view, invoice),
    ]),
    ...books.payments.flatMap((payment) => [...checkPayment(view, payment), ...checkSnapshot(view, payment)]),
    ...ledger.captures.flatMap((capture) => checkCapture(view, capture)),
    ...checkTransitions(books),
  ];
}

type LedgerPayment = LedgerRows['payments'][number];
type Capture = LedgerRows['captures'][number];
type View = {
  invoices: Map<string, InvoiceRecord>;
  paymentsOf: (invoiceId: string) => PaymentRecord[];
  payments: Map<string, PaymentRecord>;
  byGatewayId: Map<string, PaymentRecord[]>;
  cards: Map<string, CardRecord>;
  accounts: Map<string, AccountRecord>;
  objects: Map<string, LedgerPayment>;
  /** The gateway's objects that were created for a payment of ours. */
  objectsFor: (paymentId: string) => LedgerPayment[];
  /** What was captured and not refunded, among the gateway's objects for a payment. */
  captures: (paymentId: string) => Capture[];
  /** The gateway's objects with which money was captured, refunded or not. */
  taken: Set<string>;
  /** What was captured of a debt and not fully refunded, whatever our books know of it. */
  capturesOfDebt: (debt: string) => Capture[];
};

function arrange({ invoices, payments, cards, accounts }: Books, ledger: LedgerRows): View {
  const paymentsOf = Map.groupBy(payments, (payment) => payment.invoiceId);
  const objectsFor = Map.groupBy(ledger.payments, (object) => object.reference);
  const objectsOf = Map.groupBy(ledger.payments, (object) => object.debt ?? '');
  const refunded = Map.groupBy(ledger.refunds, (refund) => refund.paymentId);
  const captures = Map.groupBy(
    ledger.captures.filter((capture) => {
      const refunds = refunded.get(capture.paymentId) ?? [];
      return refunds.reduce((sum, refund) => sum + refund.amountMinor, 0n) < capture.amountMinor;
    }),
    (capture) => capture.paymentId,
  );
  return {
    invoices: new Map(invoices.map((invoice) => [invoice.id, invoice])),
    paymentsOf: (invoiceId) => paymentsOf.get(invoiceId) ?? [],
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    byGatewayId: Map.groupBy(payments, (payment) => payment.gatewayPaymentId ?? ''),
    cards: new Map(cards.map((card) => [card.id, card])),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    objects: new Map(ledger.payments.map((object) => [object.id, object])),
    objectsFor: (paymentId) => objectsFor.get(paymentId) ?? [],
    taken: new Set(ledger.captures.map(({ paymentId }) => paymentId)),
    capturesOfDebt: (debt) => (objectsOf.get(debt) ?? []).flatMap((object) => captures.get(object.id) ?? []),
    captures: (paymentId) => (objectsFor.get(paymentId) ?? []).flatMap((object) => captures.get(object.id) ?? []),
  };
}

/** The amount due when the payment began. No credit note is issued while a payment runs, and part payments have ended before. */
function dueAtPayment({ totalMinor, creditedBeforeMinor, partPaidMinor }: InvoiceRecord): bigint {
  return totalMinor - creditedBeforeMinor - partPaidMinor;
}

/** What a payment takes of the card or account: of a part payment that is all it captured. */
function toCapture(invoice: InvoiceRecord, payment: PaymentRecord): bigint {
  if (payment.isPart) return payment.amountMinor + payment.overpaidMinor;
  return dueAtPayment(invoice) - payment.creditMinor + payment.overpaidMinor;
}

/** I1, I2 and I13. */
function checkInvoice(view: View, invoice: InvoiceRecord): string[] {
  const { id, status, currency, paymentId } = invoice;
  const payments = view.paymentsOf(id);
  const found = [...checkCreditNotes(invoice), ...judgeParts(invoice, payments)];
  const captures = payments.flatMap((payment) =>
    view.captures(payment.id).map((capture) => ({
      ...capture,
      underReview: payment.state === 'needs_review',
      isPart: payment.isPart,
      // What the card pays beside the credit.
      dueMinor: toCapture(invoice, payment),
    })),
  );
  const whole = captures.filter(({ isPart }) => !isPart);
  if (whole.length > 1) found.push(`I1 invoice ${id} was captured ${whole.length} times`);
  for (const capture of captures) {
    const isExact = capture.amountMinor === capture.dueMinor && capture.currency === currency;
    const taken = `${capture.amountMinor} ${capture.currency}`;
    if (!isExact && !capture.underReview)
      found.push(`I1 invoice ${id} with ${capture.dueMinor} ${currency} due was captured with ${taken}`);
  }

  const captured = payments.filter((payment) => payment.state === 'captured' && !payment.isPart);
  if (status === 'Succeeded' && captured.length !== 1)
    found.push(`I2 invoice ${id} is Succeeded with ${captured.length} captured payments`);
  if (status !== 'Succeeded' && captured.length > 0)
    found.push(`I2 invoice ${id} is ${status} with a captured payment`);
  if (status === 'Succeeded' && captured[0]?.id !== paymentId)
    found.push(`I2 invoice ${id} names payment ${paymentId}, not the captured one`);
  if (status !== 'Succeeded' && paymentId !== null) found.push(`I2 invoice ${id} is ${status} and names a payment`);
  return found;
}

/** I1: the invoice stores the sum of its part payments, which is less than was due. */
function judgeParts({ id, totalMinor, partPaidMinor }: InvoiceRecord, payments: PaymentRecord[]): string[] {
  const parts = payments.filter(({ isPart }) => isPart);
  const paidMinor = parts.reduce((sum, { amountMinor, creditMinor }) => sum + amountMinor + creditMinor, 0n);
  if (paidMinor === partPaidMinor && (paidMinor === 0n || paidMinor < totalMinor)) return [];
  return [
    `I1 invoice ${id} of ${totalMinor} says ${partPaidMinor} are paid in part, its part payments make ${paidMinor}`,
  ];
}

/**
 * I13: the invoice stores the sum of its credit notes, which is never more than its total. What was already paid is credited only after the
 * payment.
 */
function checkCreditNotes(invoice: InvoiceRecord): string[] {
  const { id, status, totalMinor, creditedMinor, creditNotesMinor, creditedBeforeMinor } = invoice;
  const found: string[] = [];
  if (creditedMinor !== creditNotesMinor)
    found.push(`I13 invoice ${id} says ${creditedMinor} are credited, its credit notes make ${creditNotesMinor}`);
  if (creditNotesMinor > totalMinor) found.push(`I13 more than all of invoice ${id} is credited`);
  if (status !== 'Succeeded' && creditNotesMinor !== creditedBeforeMinor)
    found.push(`I13 invoice ${id} is ${status} and has credit notes for what was paid`);
  return found;
}

/** I4: the money of a Failed invoice can't be captured any more. A charge of the rest may fail after a part payment. */
function checkFailed(view: View, { id, status, isVoid }: InvoiceRecord): string[] {
  if (isVoid) return checkVoid(view, id);
  if (status !== 'Failed') return [];
  const payments = view.paymentsOf(id).filter(({ isPart }) => !isPart);
  return payments.flatMap((payment) => {
    const captures = view.captures(payment.id).map(({ id: capture }) => `I4 invoice ${id} is Failed with ${capture}`);
    const object = view.objects.get(payment.gatewayPaymentId ?? '');
    const isOpen = object !== undefined && object.status !== 'canceled' && object.status !== 'captured';
    const isLive = payment.state !== 'failed';
    return [
      ...captures,
      ...(isOpen ? [`I4 invoice ${id} is Failed and the gateway's object ${object.id} is ${object.status}`] : []),
      ...(isLive ? [`I4 invoice ${id} is Failed while its payment ${payment.id} is ${payment.state}`] : []),
    ];
  });
}

/** I4: nothing can pay an invoice that is void. */
function checkVoid(view: View, id: string): string[] {
  const live = view.paymentsOf(id).filter(({ state }) => !ENDED.has(state));
  return live.map((payment) => `I4 invoice ${id} is void while its payment ${payment.id} is ${payment.state}`);
}

const ENDED = new Set(['captured', 'failed', 'needs_review']);

/**
 * I17 and I18: according to the gateway's books alone, no debt was paid twice, and no paid debt's invoice has failed.
 */
function checkDebt(view: View, { id, status, debt, totalMinor, currency }: InvoiceRecord): string[] {
  const payments = view.paymentsOf(id);
  const parts = new Set(payments.flatMap(({ isPart, gatewayPaymentId }) => (isPart ? [gatewayPaymentId] : [])));
  const all = view.capturesOfDebt(debt);
  const captures = all.filter(({ paymentId }) => !parts.has(paymentId));
  const overpaidMinor = payments.reduce((sum, payment) => sum + payment.overpaidMinor, 0n);
  const takenMinor = all.reduce((sum, { amountMinor }) => sum + amountMinor, -overpaidMinor);
  const isUnderReview = payments.some(({ state }) => state === 'needs_review');
  const found: string[] = [];
  if (captures.length > 1) found.push(`I17 debt ${debt} was captured ${captures.length} times`);
  else if (takenMinor > totalMinor && !isUnderReview)
    found.push(`I17 debt ${debt} of ${totalMinor} ${currency} was captured with ${takenMinor}`);
  if (status === 'Failed' && captures.length > 0) found.push(`I18 invoice ${id} is Failed, and its debt is captured`);
  return found;
}

/** I2 seen from the payment, the alert of I8, and the failed payments of I4. */
function checkPayment(view: View, { id, state, gateway, gatewayPaymentId, alerts }: PaymentRecord): string[] {
  const found: string[] = [];
  const captures = view.captures(id);
  if (state === 'captured' && gateway !== 'none' && !view.taken.has(gatewayPaymentId ?? ''))
    found.push(`I2 payment ${id} is captured here, but not at the gateway`);
  const object = view.objects.get(gatewayPaymentId ?? '');
  if (state === 'requires_action' && object?.status !== 'requires_action')
    found.push(`I20 payment ${id} waits for its customer, and its object is ${object?.status}`);
  // A debit ends at the gateway by itself, before somebody looks.
  if (state === 'processing' && !['processing', 'captured', 'declined'].includes(object?.status ?? ''))
    found.push(`I20 payment ${id} waits for its bank, and its object is ${object?.status}`);
  if (state === 'failed' && (object?.status === 'requires_action' || object?.status === 'processing'))
    found.push(`I4 payment ${id} is failed, and its object is ${object.status}`);
  if (state === 'failed' && captures.length > 0) found.push(`I4 payment ${id} is failed and was captured`);
  if (state === 'needs_review' && !alerts.some((kind) => REVIEW_ALERTS.has(kind)))
    found.push(`I8 payment ${id} needs review and nobody is told`);
  return found;
}

/**
 * The alerts for a payment under review. An alert about refused credentials does not count: it is not about this
 * payment.
 */
const REVIEW_ALERTS = new Set(['payment_mismatch', 'payment_unresolved']);

/** I3: captured money belongs to one payment of ours, and its invoice is paid. */
function checkCapture(view: View, { id, paymentId: objectId }: Capture): string[] {
  const reference = view.objects.get(objectId)?.reference ?? '';
  const payment = view.payments.get(reference);
  if (payment === undefined) return [`I3 capture ${id} belongs to no payment of ours`];
  const claimants = view.byGatewayId.get(objectId) ?? [];
  if (claimants.length !== 1 || claimants[0] !== payment)
    return [`I3 capture ${id} is claimed by ${claimants.length} payments, not by ${payment.id} alone`];
  const isKept = view.captures(payment.id).some((capture) => capture.id === id);
  const invoice = view.invoices.get(payment.invoiceId);
  const isPaid = payment.isPart || (invoice?.status === 'Succeeded' && invoice.paymentId === payment.id);
  if (!isKept || isPaid || payment.state === 'needs_review') return [];
  return [`I3 capture ${id} was kept, but invoice ${payment.invoiceId} is ${invoice?.status}`];
}

/** I7 and I10: what was sent equals what was fixed at the start, belongs to one company's card or account, and matches the invoice. */
function checkSnapshot(view: View, payment: PaymentRecord): string[] {
  const { id, companyId, invoiceId, amountMinor, creditMinor, currency, state, gatewayToken } = payment;
  const found = checkSource(view, payment);
  const invoice = view.invoices.get(invoiceId);
  if (invoice?.companyId !== companyId) found.push(`I10 payment ${id} and its invoice are of different companies`);
  const isWhatWasDue =
    invoice !== undefined && dueAtPayment(invoice) === amountMinor + creditMinor && invoice.currency === currency;
  if (state !== 'failed' && !payment.isPart && !isWhatWasDue)
    found.push(`I7 payment ${id} and its invoice differ in amount or currency`);
  for (const object of view.objectsFor(id)) {
    // A payment that was adopted for review has the amount due; its object has the captured amount. A person may have accepted that.
    const isAccepted = payment.isPart || object.amountMinor === amountMinor + payment.overpaidMinor;
    const isSame = (isAccepted || object.amountMinor === amountMinor) && object.currency === currency;
    if (!isSame && state !== 'needs_review' && !wasReviewed(payment))
      found.push(`I7 the gateway's object ${object.id} has another amount than payment ${id}`);
    // Some gateways learn only with the confirmation which source is charged.
    const isOther = object.sourceToken !== '' && gatewayToken !== null && object.sourceToken !== gatewayToken;
    if (isOther) found.push(`I10 the gateway's object ${object.id} charges another card or account`);
  }
  return found;
}

/** Its capture of another amount was refunded. */
function wasReviewed({ state, alerts }: PaymentRecord): boolean {
  return state === 'failed' && alerts.includes('payment_mismatch');
}

/** Checks the card or the account itself: it exists, it belongs to the company, and its token is the one that was fixed. */
function checkSource({ cards, accounts }: View, payment: PaymentRecord): string[] {
  const { id, companyId, cardId, paypalAccountId, gateway, gatewayToken } = payment;
  if (cardId !== null && paypalAccountId !== null) return [`I7 payment ${id} has a card and an account`];
  if (cardId === null && paypalAccountId === null)
    // The source of an adopted payment may be lost with the books.
    return gateway === 'none' || gatewayToken === null ? [] : [`I7 payment ${id} has neither a card nor an account`];
  const card = cards.get(cardId ?? '');
  if (cardId !== null && !card?.hasAddress) return [`I7 the card of payment ${id}, or its address, is gone`];
  const source = card ?? accounts.get(paypalAccountId ?? '');
  if (source === undefined) return [`I7 the account of payment ${id} is gone`];
  if (source.companyId !== companyId) return [`I10 payment ${id} and what it charges are of different companies`];
  return source.gatewayToken === gatewayToken ? [] : [`I10 payment ${id} has the token of another card or account`];
}
