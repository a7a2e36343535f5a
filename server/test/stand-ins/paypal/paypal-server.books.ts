/** Accounts, orders, captures and refunds of the stand-in for PayPal. */
import type { BankDecision } from '../../../src/gateways/sandbox/bank/charges.ts';
import { moneyOf, readMoney, unitsOf } from './paypal-server.money.ts';
import {
  type Capture,
  link,
  linksOfOrder,
  type Money,
  malformed,
  missing,
  newId,
  nowText,
  type Order,
  type Refund,
  unprocessable,
} from './paypal-server.objects.ts';
import { emit, recordCapture, recordRefund } from './paypal-server.records.ts';
import type { Account, AccountBehaviour, PayPalBooks } from './paypal-server.state.ts';

/**
 * Changes PayPal's decision. Amounts are in hundredths, or in whole units for currencies without decimals at PayPal.
 */
export type BendDecision = (honest: BankDecision) => BankDecision;
/** PayPal's issue for each decline that a fault asks for. All others get PayPal's most common issue. */
const ISSUES: Readonly<Record<string, string>> = {
  payer_cannot_pay: 'PAYER_CANNOT_PAY',
  invalid_account: 'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  revocation_of_authorization: 'AGREEMENT_ALREADY_CANCELLED',
};
/** Setup tokens that begin like this count as approved, and their accounts behave as given here. The rest of the token makes it unique. */
const SELF_APPROVED = { SETUPPAYS: 'pays', SETUPDECLINES: 'PAYER_CANNOT_PAY' } as const;
const LONGEST_TEXT = 127;
const CAPTURE_STATUSES: Readonly<Record<string, Capture['status']>> = {
  pending: 'PENDING',
  declined_capture: 'DECLINED',
};

/** A payer approves at PayPal that the account is saved. @returns the setup token */
export function approveSetup(
  books: PayPalBooks,
  behaviour: AccountBehaviour = 'pays',
  email = 'payer@example.com',
): string {
  const setupToken = newId();
  books.setups.set(setupToken, { email, customerId: newId(), behaviour });
  return setupToken;
}

/**
 * Adds an account as if a payer had approved it and its token had been exchanged. @returns the id of the payment token
 */
export function addAccount(
  books: PayPalBooks,
  behaviour: AccountBehaviour = 'pays',
  email = 'payer@example.com',
): string {
  const id = newId().toLowerCase();
  books.accounts.set(id, { email, customerId: newId(), behaviour });
  return id;
}

/** Exchanges a setup token for a payment token, once. */
export function createPaymentToken(books: PayPalBooks, body: unknown): object {
  const token = readPath(body, 'payment_source', 'token');
  if (readPath(token, 'type') !== 'SETUP_TOKEN') throw malformed('INVALID_PARAMETER_VALUE');
  const setupToken = String(readPath(token, 'id'));
  const account = books.setups.get(setupToken) ?? approveByItself(books, setupToken);
  if (account === null) throw missing('TOKEN_NOT_FOUND');
  books.setups.set(setupToken, null);
  const id = newId().toLowerCase();
  books.accounts.set(id, account);
  const { email, customerId } = account;
  return {
    id,
    customer: { id: customerId },
    payment_source: { paypal: { email_address: email, account_id: newId(), usage_type: 'MERCHANT' } },
    links: [link('self', `/v3/vault/payment-tokens/${id}`)],
  };
}

/** Deletes an account, which can't be charged any more. */
export function deletePaymentToken(books: PayPalBooks, id: string): void {
  if (!books.accounts.has(id)) throw missing('TOKEN_NOT_FOUND');
  books.accounts.set(id, null);
}

/** Approves a setup token that needs no payer. Returns null for any other token and for one that was already exchanged. */
function approveByItself({ setups }: PayPalBooks, setupToken: string): Account | null {
  const issue = Object.entries(SELF_APPROVED).find(([prefix]) => setupToken.startsWith(prefix))?.[1];
  if (issue === undefined || setups.has(setupToken)) return null;
  return { email: 'payer@example.com', customerId: newId(), behaviour: issue };
}

/**
 * Creates an order that moves no money yet. With a payment source, PayPal would capture it at once; the adapter never
 * sends one.
 */
export function createOrder(books: PayPalBooks, body: unknown): Order {
  const units = readPath(body, 'purchase_units');
  const [unit] = Array.isArray(units) ? units : [];
  if (readPath(body, 'payment_source') !== undefined) throw malformed('NOT_SUPPORTED_HERE');
  if (readPath(body, 'intent') !== 'CAPTURE' || !Array.isArray(units) || units.length !== 1) {
    throw malformed('INVALID_PARAMETER_VALUE');
  }
  const amount = readMoney(readPath(unit, 'amount'));
  const [customId, invoiceId] = ['custom_id', 'invoice_id'].map((name) => readText(unit, name));
  const description = readText(unit, 'description');
  const id = newId();
  const time = nowText();
  const order: Order = {
    id,
    intent: 'CAPTURE',
    status: 'CREATED',
    purchase_units: [
      {
        reference_id: 'default',
        amount,
        payee: { email_address: 'merchant@example.com', merchant_id: 'TESTMERCHANT1' },
        ...(description === undefined ? {} : { description }),
        ...(customId === undefined ? {} : { custom_id: customId }),
        ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
      },
    ],
    create_time: time,
    update_time: time,
    links: linksOfOrder(id),
  };
  books.orders.set(id, order);
  books.asked.set(id, { amount, vaultId: '', lastIssue: null });
  return order;
}

/** Captures an order, once. */
export function captureOrder(
  books: PayPalBooks,
  { id, body }: { id: string; body: unknown },
  bend: BendDecision = (honest) => honest,
): Order {
  const order = requireOrder(books, id);
  const asked = books.asked.get(id);
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED');
  if (order.intent !== 'CAPTURE') throw unprocessable('ACTION_DOES_NOT_MATCH_INTENT');
  const vaultId = readPath(body, 'payment_source', 'paypal', 'vault_id');
  if (typeof vaultId !== 'string') throw unprocessable('ORDER_NOT_APPROVED');
  const account = books.accounts.get(vaultId);
  if (asked !== undefined) asked.vaultId = vaultId;
  if (account === undefined || account === null) throw missing('TOKEN_ID_NOT_FOUND');
  const [unit] = order.purchase_units;
  const { invoice_id: invoiceId } = unit;
  const isTaken = [...books.orders.values()].some(
    ({ purchase_units: [other] }) => other.invoice_id === invoiceId && other.payments !== undefined,
  );
  if (invoiceId !== undefined && isTaken) throw unprocessable('DUPLICATE_INVOICE_ID');

  const { behaviour } = account;
  const { currency_code: currency } = unit.amount;
  const isPaying = behaviour === 'pays' || CAPTURE_STATUSES[behaviour] !== undefined;
  const decision = bend(isPaying ? { amountMinor: unitsOf(unit.amount), currency } : { declineCode: behaviour });
  if ('declineCode' in decision) {
    const { declineCode: code } = decision;
    const issue = code === behaviour ? code : (ISSUES[code] ?? 'INSTRUMENT_DECLINED');
    if (asked !== undefined) asked.lastIssue = issue;
    throw unprocessable(issue);
  }
  const status = CAPTURE_STATUSES[behaviour] ?? 'COMPLETED';
  const capture = newCapture(order, moneyOf(decision.amountMinor, decision.currency), status);
  order.status = 'COMPLETED';
  order.payment_source = {
    paypal: { email_address: account.email, account_id: account.customerId, account_status: 'VERIFIED' },
  };
  unit.payments = { captures: [capture] };
  order.update_time = capture.create_time;
  if (status === 'COMPLETED') recordCapture(books, order, capture);
  emit(books, `PAYMENT.CAPTURE.${status}`, 'capture', capture);
  return order;
}

/** Changes an open order: its intent or its invoice id. */
export function patchOrder(books: PayPalBooks, id: string, body: unknown): void {
  const order = requireOrder(books, id);
  if (order.status !== 'CREATED') throw unprocessable('ORDER_ALREADY_COMPLETED');
  const patches: unknown[] = Array.isArray(body) ? body : [];
  if (patches.length === 0) throw malformed('MISSING_REQUIRED_PARAMETER');
  for (const patch of patches) {
    const { op, path, value } = patch as { op?: unknown; path?: unknown; value?: unknown };
    if (op !== 'replace') throw unprocessable('NOT_PATCHABLE');
    if (path === "/purchase_units/@reference_id=='default'/invoice_id") {
      order.purchase_units[0].invoice_id = readText({ value }, 'value') ?? '';
      continue;
    }
    if (path !== '/intent') throw unprocessable('NOT_PATCHABLE');
    if (value !== 'CAPTURE' && value !== 'AUTHORIZE') throw unprocessable('INVALID_PARAMETER');
    order.intent = value;
  }
}

/** Refunds a capture, never more than was captured. */
export function refundCapture(books: PayPalBooks, captureId: string, body: unknown): Refund {
  const { order, capture } = requireCapture(books, captureId);
  const amount = readMoney(readPath(body, 'amount') ?? capture.amount);
  if (capture.status === 'REFUNDED') throw unprocessable('CAPTURE_FULLY_REFUNDED');
  if (capture.status !== 'COMPLETED' && capture.status !== 'PARTIALLY_REFUNDED')
    throw unprocessable('REFUND_NOT_ALLOWED');
  if (amount.currency_code !== capture.amount.currency_code) throw unprocessable('CURRENCY_MISMATCH');
  const [{ payments }] = order.purchase_units;
  const before = payments?.refunds ?? [];
  const given = before.reduce((sum, refund) => sum + unitsOf(refund.amount), unitsOf(amount));
  if (given > unitsOf(capture.amount)) throw unprocessable('REFUND_AMOUNT_EXCEEDED');
  const [customId, invoiceId] = ['custom_id', 'invoice_id'].map((name) => readText(body, name));
  const note = readPath(body, 'note_to_payer');
  if (invoiceId !== undefined && books.refundInvoiceIds.has(invoiceId)) throw unprocessable('DUPLICATE_INVOICE_ID');
  if (invoiceId !== undefined) books.refundInvoiceIds.set(invoiceId, true);
  const id = newId();
  const time = nowText();
  const total = moneyOf(given, amount.currency_code);
  const refund: Refund = {
    id,
    status: 'COMPLETED',
    amount,
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    ...(typeof note === 'string' ? { note_to_payer: note } : {}),
    seller_payable_breakdown: { gross_amount: amount, total_refunded_amount: total },
    links: [link('self', `/v2/payments/refunds/${id}`), link('up', `/v2/payments/captures/${captureId}`)],
    create_time: time,
    update_time: time,
  };
  capture.status = given === unitsOf(capture.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  if (payments !== undefined) payments.refunds = [...before, refund];
  recordRefund(books, { orderId: order.id, captureId, refund });
  emit(books, 'PAYMENT.CAPTURE.REFUNDED', 'refund', refund);
  return refund;
}

/** Completes or declines a pending capture. */
export function decidePending(books: PayPalBooks, orderId: string, status: 'COMPLETED' | 'DECLINED'): void {
  const order = requireOrder(books, orderId);
  for (const capture of order.purchase_units[0].payments?.captures ?? []) {
    capture.status = status;
    if (status === 'COMPLETED') recordCapture(books, order, capture);
    emit(books, `PAYMENT.CAPTURE.${status === 'DECLINED' ? 'DENIED' : status}`, 'capture', capture);
  }
}

/** Returns the order. @throws PayPalError */
export function requireOrder(books: PayPalBooks, id: string): Order {
  const order = books.orders.get(id);
  if (order === undefined) throw missing();
  return order;
}

/** Returns a capture with its order. @throws PayPalError */
export function requireCapture(books: PayPalBooks, id: string): { order: Order; capture: Capture } {
  for (const order of books.orders.values()) {
    const capture = order.purchase_units[0].payments?.captures.find((one) => one.id === id);
    if (capture !== undefined) return { order, capture };
  }
  throw missing();
}

/** Reads a text of at most 127 characters. @throws PayPalError */
function readText(value: unknown, name: string): string | undefined {
  const text = readPath(value, name);
  if (typeof text === 'string' && text.length > LONGEST_TEXT) throw malformed('INVALID_STRING_MAX_LENGTH');
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Reads a field of a request; undefined if there is none. */
export function readPath(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function newCapture(order: Order, amount: Money, status: Capture['status']): Capture {
  const [{ custom_id: customId, invoice_id: invoiceId }] = order.purchase_units;
  const id = newId();
  const time = nowText();
  const path = `/v2/payments/captures/${id}`;
  return {
    id,
    status,
    ...(status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount,
    final_capture: true,
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    supplementary_data: { related_ids: { order_id: order.id } },
    links: [
      link('self', path),
      link('refund', `${path}/refund`, 'POST'),
      link('up', `/v2/checkout/orders/${order.id}`),
    ],
    create_time: time,
    update_time: time,
  };
}
