/** The adapter of PayPal (https://developer.paypal.com/api/rest/). Loaded only where PayPal is configured: its package is large. */
import { createHash } from 'node:crypto';
import { CheckoutPaymentIntent, PatchOp, VaultTokenRequestType } from '@paypal/paypal-server-sdk';
import {
  type AccountSetup,
  type ConfirmRequest,
  type DebtRequest,
  type Gateway,
  type GatewayDebtPayment,
  GatewayError,
  type GatewayPayment,
  type PaymentRequest,
  type RefundRequest,
  type VaultedAccount,
} from '../gateway.ts';
import { fromPayPalAmount, toPayPalAmount } from './paypal.amounts.ts';
import * as answers from './paypal.answers.ts';
import { createBookReader } from './paypal.books.ts';
import { type AskPayPal, connectToPayPal, PayPalRefusal } from './paypal.connection.ts';
import { declineCodeOf } from './paypal.declines.ts';
import { listDisputes } from './paypal.disputes.list.ts';
import { findDispute } from './paypal.disputes.ts';
import { createNoticeReader } from './paypal.notices.ts';

const defaultTimeoutMs = 20_000;
export const PAYPAL_API_BASE = 'https://api-m.paypal.com';
/** PayPal says no more than id and status otherwise. */
const prefer = 'return=representation';

export type PayPalGatewayOptions = {
  /** Another place that speaks PayPal's API, such as its sandbox. */
  baseUrl?: string;
  clientId: string;
  clientSecret: string;
  /** Unset: notices at the webhook are not read. */
  webhookId?: string | undefined;
  /** For each call with all its requests, on the monotonic clock; 20 s unless given. */
  timeoutMs?: number;
};

/**
 * Holds accounts and takes no cards. A payment is an order without a payment source, so that nothing moves until it is captured.
 * Opens no connection by itself, and keeps no process alive. Throws on a base URL that is none.
 */
export function createPayPalGateway({
  baseUrl = PAYPAL_API_BASE,
  clientId,
  clientSecret,
  webhookId,
  timeoutMs = defaultTimeoutMs,
}: PayPalGatewayOptions): Gateway {
  const begin = connectToPayPal({ baseUrl, clientId, clientSecret, timeoutMs });
  return {
    name: 'paypal',
    async tokenizeCard() {
      throw new GatewayError('rejected', 'PayPal takes accounts from us, and no cards.');
    },
    vaultAccount: (setup) => vaultAccount(begin(), setup),
    createPayment: (request) => createPayment(begin(), request),
    confirmPayment: (request) => confirmPayment(begin(), request),
    cancelPayment: (gatewayPaymentId) => cancelPayment(begin(), gatewayPaymentId),
    async findPayment(gatewayPaymentId) {
      const order = await findOrder(begin(), gatewayPaymentId);
      return order === null ? null : answers.toPayment(order);
    },
    listPaymentsOfDebt: (request) => listPaymentsOfDebt(begin(), request),
    refundPayment: (request) => refundPayment(begin(), request),
    async findRefund(gatewayPaymentId, reference) {
      const order = await findOrder(begin(), gatewayPaymentId);
      return order === null ? null : answers.findRefundIn(order, reference);
    },
    async listRefundsOf(gatewayPaymentId) {
      const order = await findOrder(begin(), gatewayPaymentId);
      const refunds = order === null ? [] : answers.listRefundsIn(order);
      return refunds.map((refund) => ({ ...refund, details: {} }));
    },
    findDispute: (gatewayDisputeId) => findDispute(begin(), gatewayDisputeId),
    listDisputes: (request) => listDisputes(begin(), request),
    ...createBookReader(begin),
    ...(webhookId === undefined ? {} : { readNotice: createNoticeReader(begin, webhookId) }),
  };
}

/** The request id comes of the setup token, so that the same again answers with the same account while PayPal remembers it, 3 hours. */
async function vaultAccount(ask: AskPayPal, { setupToken }: AccountSetup): Promise<VaultedAccount> {
  if (!/^[\w-]{1,255}$/.test(setupToken)) {
    throw new GatewayError('rejected', 'PayPal has no setup tokens of this form.');
  }
  const body = { paymentSource: { token: { id: setupToken, type: VaultTokenRequestType.SetupToken } } };
  const paypalRequestId = createHash('sha256').update(`vault ${setupToken}`).digest('hex').slice(0, 36);
  const vaulted = answers.read(
    answers.isVaulted,
    await ask(({ vault }) => vault.createPaymentToken({ body, paypalRequestId })),
  );
  const customer = vaulted.customer?.id;
  return {
    token: `${TOKEN_PREFIX}${vaulted.id}`,
    email: vaulted.payment_source.paypal.email_address,
    ...(customer === undefined ? {} : { customer }),
  };
}

/** With it no token of another gateway is taken for one of PayPal's. */
const TOKEN_PREFIX = 'vault/';

function readSourceToken(sourceToken: string): string {
  const vaultId = /^vault\/([\w-]{1,64})$/.exec(sourceToken)?.[1];
  if (vaultId === undefined) throw new GatewayError('rejected', 'The token is of no account at PayPal.');
  return vaultId;
}

async function createPayment(ask: AskPayPal, request: PaymentRequest): Promise<GatewayPayment> {
  const { idempotencyKey: paypalRequestId, amountMinor, currency, sourceToken, reference } = request;
  readSourceToken(sourceToken);
  const amount = toPayPalAmount(amountMinor, currency);
  const body = {
    intent: CheckoutPaymentIntent.Capture,
    // By the invoice id PayPal itself refuses to capture two orders for one payment of ours.
    purchaseUnits: [{ amount, customId: reference, invoiceId: reference }],
  };
  const order = answers.readOrder(await ask(({ orders }) => orders.createOrder({ body, paypalRequestId, prefer })));
  // A request id that was used before answers with what it made then, whatever is asked for now.
  const [unit, ...others] = order.purchase_units;
  if (unit?.amount === undefined || others.length > 0) throw answers.unreadable();
  const isSame =
    unit.custom_id === reference &&
    unit.amount.currency_code === currency &&
    fromPayPalAmount(unit.amount.value, currency) === amountMinor;
  if (!isSame) throw new GatewayError('conflict', 'PayPal answered with the order of another request.');
  return answers.toPayment(order);
}

async function confirmPayment(ask: AskPayPal, request: ConfirmRequest): Promise<GatewayPayment> {
  const { gatewayPaymentId: id, idempotencyKey: paypalRequestId } = request;
  refuseOtherIds(id);
  const body = { paymentSource: { paypal: { vaultId: readSourceToken(request.sourceToken) } } };
  let order: answers.Order;
  try {
    order = answers.readOrder(await ask(({ orders }) => orders.captureOrder({ id, body, paypalRequestId, prefer })));
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error;
    return readRefusal(ask, id, error);
  }
  // The request id of another order answers with that one; what became of this one, it says itself.
  const payment = answers.toPayment(order.id === id ? order : await requireOrder(ask, id));
  if (payment.status === 'captured' || payment.status === 'declined') return payment;
  if (order.id === id) throw answers.unreadable();
  throw new GatewayError('conflict', 'PayPal knows the request id from another order.');
}

/** What a refused capture says about the payment. @throws GatewayError */
async function readRefusal(ask: AskPayPal, id: string, refusal: PayPalRefusal): Promise<GatewayPayment> {
  const { issues } = refusal;
  if (issues.includes('ORDER_ALREADY_CAPTURED') || issues.includes('ORDER_COMPLETED_OR_VOIDED')) {
    const payment = answers.toPayment(await requireOrder(ask, id));
    if (payment.status === 'captured' || payment.status === 'declined') return payment;
    throw refusal;
  }
  // Another order has captured what this payment is for, so the payment has not failed: a person has to look.
  if (issues.includes('DUPLICATE_INVOICE_ID')) {
    throw new GatewayError('conflict', 'PayPal has captured another order for this payment.');
  }
  const declineCode = declineCodeOf(refusal);
  if (declineCode === null) throw refusal;
  return { id, status: 'declined', capturedAmountMinor: null, capturedCurrency: null, declineCode };
}

/**
 * PayPal has no call that cancels an order. An order whose intent is to authorize can't be captured, and the intent of one that is open
 * can be replaced: that closes it. Decision 0018 tells more.
 */
async function cancelPayment(ask: AskPayPal, id: string): Promise<GatewayPayment> {
  refuseOtherIds(id);
  const body = [{ op: PatchOp.Replace, path: '/intent', value: 'AUTHORIZE' }];
  try {
    await ask(({ orders }) => orders.patchOrder({ id, body }));
  } catch (error) {
    // Refused, mostly because the order is not open any more: it says itself what it is.
    if (!(error instanceof PayPalRefusal)) throw error;
  }
  const order = await requireOrder(ask, id);
  if (answers.isOver(order)) {
    return { id, status: 'canceled', capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
  }
  const payment = answers.toPayment(order);
  if (payment.status !== 'captured') throw new GatewayError('outcome_unknown', 'PayPal did not close the order.');
  return payment;
}

/** PayPal has no list: the orders that the books have are read. What else it has captured of the debt, a capture is refused for. */
async function listPaymentsOfDebt(ask: AskPayPal, { known }: DebtRequest): Promise<GatewayDebtPayment[]> {
  const found: GatewayDebtPayment[] = [];
  for (const { gatewayPaymentId, reference } of known) {
    const order = gatewayPaymentId === null ? null : await findOrder(ask, gatewayPaymentId);
    if (order === null) continue;
    const payment = answers.toPayment(order);
    const refundedMinor = answers.listRefundsIn(order).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    found.push({ ...payment, sequence: null, reference, refundedMinor, createdAt: new Date(0), details: {} });
  }
  return found;
}

async function refundPayment(ask: AskPayPal, request: RefundRequest) {
  const { idempotencyKey: paypalRequestId, gatewayPaymentId, amountMinor, reference: customId } = request;
  const capture = answers.requireCapture(await requireOrder(ask, gatewayPaymentId));
  const currency = capture.amount.currency_code;
  const body = { amount: toPayPalAmount(amountMinor, currency), customId };
  const captureId = capture.id;
  const answer = await ask(({ payments }) =>
    payments.refundCapturedPayment({ captureId, body, paypalRequestId, prefer }),
  );
  const refund = answers.readRefund(answer, customId);
  if (refund?.amountMinor !== amountMinor || refund.currency !== currency) {
    throw new GatewayError('conflict', 'PayPal answered with the refund of another request.');
  }
  return refund;
}

async function findOrder(ask: AskPayPal, id: string): Promise<answers.Order | null> {
  refuseOtherIds(id);
  try {
    return answers.readOrder(await ask(({ orders }) => orders.getOrder({ id })), id);
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status === 404 && error.word === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}

async function requireOrder(ask: AskPayPal, id: string): Promise<answers.Order> {
  const order = await findOrder(ask, id);
  if (order === null) throw new GatewayError('rejected', 'PayPal knows no such order.');
  return order;
}

/** So that no id leads to another path. */
function refuseOtherIds(id: string): void {
  if (!/^[\w-]{1,64}$/.test(id)) throw new GatewayError('rejected', 'PayPal has no ids of this form.');
}
