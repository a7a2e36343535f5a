/** The adapter for PayPal (https://developer.paypal.com/api/rest/). It is loaded only if PayPal is configured: its package is large. */
import { createHash } from 'node:crypto';
import { CheckoutPaymentIntent, PatchOp, VaultTokenRequestType } from '@paypal/paypal-server-sdk';
import { toHeaderKey } from '../gateway/gateway.keys.ts';
import {
  type AccountSetup,
  type ConfirmRequest,
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type PaymentRequest,
  type RefundRequest,
  type VaultedAccount,
} from '../gateway/gateway.ts';
import { fromPayPalAmount, toPayPalAmount } from './answers/amounts.ts';
import * as answers from './answers/answers.ts';
import { type AskPayPal, connectToPayPal, PayPalRefusal } from './answers/connection.ts';
import { declineCodeOf } from './answers/declines.ts';
import { toInvoiceId, writeCustomId, writeRefundCustomId } from './answers/names.ts';
import { createBookReader } from './paypal.books.ts';
import { advanceInvoiceId, listPaymentsOfDebt, MAX_CAPTURES } from './paypal.debts.ts';
import { listDisputes } from './paypal.disputes.list.ts';
import { findDispute } from './paypal.disputes.ts';
import { createGatewayEventReader } from './paypal.gateway-events.ts';
import { findOrder, refuseOtherIds, requireOrder } from './paypal.orders.ts';

const defaultTimeoutMs = 20_000;
const PAYPAL_API_BASE = 'https://api-m.paypal.com';
/** The maximum length of `PayPal-Request-Id` for orders. */
const REQUEST_ID_LENGTH = 108;
/** The maximum length of a refund's note to the payer. */
const REASON_LENGTH = 255;
/** Without it, PayPal returns little more than id and status. */
const prefer = 'return=representation';

export type PayPalGatewayOptions = {
  /** The address of another server with PayPal's API, such as PayPal's sandbox. */
  baseUrl?: string;
  clientId: string;
  clientSecret: string;
  /** Without it, the webhook reads no gateway events. */
  webhookId?: string | undefined;
  /** The time limit of each call with all its requests; 20 seconds by default. */
  timeoutMs?: number;
};

/**
 * Creates the adapter, which accepts PayPal accounts and no cards. A payment is an order without a payment source, so that no money moves
 * before its capture. The adapter opens no connection before the first call. Throws if the base URL is invalid.
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
      throw new GatewayError('rejected', 'PayPal payments use PayPal accounts, not cards.');
    },
    vaultAccount: (setup) => vaultAccount(begin(), setup),
    createPayment: (request) => createPayment(begin(request.timeoutMs), request),
    detachSource: (token, limitMs) => deleteAccount(begin(limitMs), token),
    confirmPayment: (request) => confirmPayment(begin, request),
    cancelPayment: (gatewayPaymentId) => cancelPayment(begin(), gatewayPaymentId),
    async findPayment(gatewayPaymentId) {
      const order = await findOrder(begin(), gatewayPaymentId);
      return order === null ? null : answers.toPayment(order);
    },
    listPaymentsOfDebt: (request) => listPaymentsOfDebt(begin, request),
    refundPayment: (request) => refundPayment(begin(), request),
    async findRefund(gatewayPaymentId, reference) {
      const order = await findOrder(begin(), gatewayPaymentId);
      return order === null ? null : answers.findRefundIn(order, reference);
    },
    async listRefundsOf(gatewayPaymentId) {
      const order = await findOrder(begin(), gatewayPaymentId);
      return order === null ? [] : answers.listRefundsIn(order);
    },
    findDispute: (gatewayDisputeId) => findDispute(begin(), gatewayDisputeId),
    listDisputes: (request) => listDisputes(begin(), request),
    ...createBookReader(begin),
    ...(webhookId === undefined ? {} : { readGatewayEvent: createGatewayEventReader(begin, webhookId) }),
  };
}

/** Derives the request id from the setup token, so that a repeat returns the same account while PayPal remembers the id, 3 hours. */
async function vaultAccount(ask: AskPayPal, { setupToken }: AccountSetup): Promise<VaultedAccount> {
  if (!/^[\w-]{1,255}$/.test(setupToken)) {
    throw new GatewayError('rejected', 'PayPal has no setup tokens of this form.');
  }
  const body = { paymentSource: { token: { id: setupToken, type: VaultTokenRequestType.SetupToken } } };
  const paypalRequestId = createHash('sha256').update(`vault ${setupToken}`).digest('hex').slice(0, 36);
  const vaulted = answers.read(
    answers.Vaulted,
    await ask(({ vault }) => vault.createPaymentToken({ body, paypalRequestId })),
  );
  const customer = vaulted.customer?.id;
  return {
    token: `${TOKEN_PREFIX}${vaulted.id}`,
    email: vaulted.payment_source.paypal.email_address,
    ...(customer === undefined ? {} : { customer }),
  };
}

/** Distinguishes PayPal's tokens from those of other gateways. */
const TOKEN_PREFIX = 'vault/';

function readSourceToken(sourceToken: string): string {
  const vaultId = /^vault\/([\w-]{1,64})$/.exec(sourceToken)?.[1];
  if (vaultId === undefined) throw new GatewayError('rejected', 'The token belongs to no account at PayPal.');
  return vaultId;
}

async function createPayment(ask: AskPayPal, request: PaymentRequest): Promise<GatewayPayment> {
  const { amountMinor, currency, sourceToken, debt, capturesRefunded = 0, details } = request;
  readSourceToken(sourceToken);
  const amount = toPayPalAmount(amountMinor, currency);
  const [customId, invoiceId] = [writeCustomId(request), toInvoiceId(debt, capturesRefunded + 1)];
  const { invoiceNumber } = details;
  const description = invoiceNumber === undefined ? {} : { description: `Invoice ${invoiceNumber}` };
  const body = {
    intent: CheckoutPaymentIntent.Capture,
    purchaseUnits: [{ amount, customId, invoiceId, ...description }],
  };
  const paypalRequestId = toHeaderKey(request.idempotencyKey, REQUEST_ID_LENGTH);
  const order = answers.readOrder(await ask(({ orders }) => orders.createOrder({ body, paypalRequestId, prefer })));
  // For a request id that was used before, PayPal returns the earlier order, even if this request differs.
  const [unit, ...others] = order.purchase_units;
  if (unit?.amount === undefined || others.length > 0) throw answers.unreadable();
  const isSame =
    unit.custom_id === customId &&
    unit.amount.currency_code === currency &&
    fromPayPalAmount(unit.amount.value, currency) === amountMinor;
  if (!isSame) {
    const message = 'PayPal answered with the order of another request.';
    throw new GatewayError('conflict', message, { existingPaymentId: order.id });
  }
  return answers.toPayment(order);
}

type Begin = () => AskPayPal;

/**
 * Captures the order. If an earlier capture of the debt was fully refunded, the order first gets another invoice id. If it was not, or if
 * PayPal's search does not show the earlier capture yet, that is a conflict.
 */
async function confirmPayment(begin: Begin, request: ConfirmRequest): Promise<GatewayPayment> {
  const { gatewayPaymentId: id, idempotencyKey } = request;
  refuseOtherIds(id);
  let key = idempotencyKey;
  for (let captures = 0; captures < MAX_CAPTURES; captures += 1) {
    try {
      return await capture(begin(), { ...request, idempotencyKey: key });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const invoiceId = await advanceInvoiceId(begin, id).catch((error: unknown) => {
      if (error instanceof GatewayError && error.kind === 'rejected') return null;
      throw error;
    });
    if (invoiceId === null) break;
    key = `${idempotencyKey} ${invoiceId}`;
  }
  throw new GatewayError('conflict', 'PayPal has captured another order of the debt.');
}

/** @throws GatewayError, which is a `PayPalRefusal` if the invoice id was captured before */
async function capture(ask: AskPayPal, request: ConfirmRequest): Promise<GatewayPayment> {
  const { gatewayPaymentId: id, idempotencyKey, sourceToken } = request;
  const paypalRequestId = toHeaderKey(idempotencyKey, REQUEST_ID_LENGTH);
  const body = { paymentSource: { paypal: { vaultId: readSourceToken(sourceToken) } } };
  let order: answers.Order;
  try {
    order = answers.readOrder(await ask(({ orders }) => orders.captureOrder({ id, body, paypalRequestId, prefer })));
  } catch (error) {
    if (!(error instanceof PayPalRefusal) || isDuplicate(error)) throw error;
    return readRefusal(ask, id, error);
  }
  // If another order used the request id, PayPal returns that order, so this one is read separately.
  const payment = answers.toPayment(order.id === id ? order : await requireOrder(ask, id));
  if (payment.status === 'captured' || payment.status === 'declined') return payment;
  if (order.id === id) throw answers.unreadable();
  throw new GatewayError('conflict', 'PayPal knows the request id from another order.');
}

function isDuplicate(error: unknown): boolean {
  return error instanceof PayPalRefusal && error.issues.includes('DUPLICATE_INVOICE_ID');
}

/** Reads the state of the payment from a refused capture. @throws GatewayError */
async function readRefusal(ask: AskPayPal, id: string, refusal: PayPalRefusal): Promise<GatewayPayment> {
  const { issues } = refusal;
  if (issues.includes('ORDER_ALREADY_CAPTURED') || issues.includes('ORDER_COMPLETED_OR_VOIDED')) {
    const payment = answers.toPayment(await requireOrder(ask, id));
    if (payment.status === 'captured' || payment.status === 'declined') return payment;
    throw refusal;
  }
  const declineCode = declineCodeOf(refusal);
  if (declineCode === null) throw refusal;
  return { id, status: 'declined', capturedAmountMinor: null, capturedCurrency: null, declineCode };
}

/** Deletes the account. One that PayPal does not know counts as deleted. */
async function deleteAccount(ask: AskPayPal, token: string): Promise<void> {
  const id = readSourceToken(token);
  try {
    await ask(({ vault }) => vault.deletePaymentToken(id));
  } catch (error) {
    if (!(error instanceof PayPalRefusal) || error.status !== 404) throw error;
  }
}

/**
 * Closes an order. PayPal has no call for that, but an order with the intent to authorize can't be captured, and the intent of an open
 * order can be replaced. See decision 18.
 */
async function cancelPayment(ask: AskPayPal, id: string): Promise<GatewayPayment> {
  refuseOtherIds(id);
  const body = [{ op: PatchOp.Replace, path: '/intent', value: 'AUTHORIZE' }];
  try {
    await ask(({ orders }) => orders.patchOrder({ id, body }));
  } catch (error) {
    // PayPal mostly refuses because the order is no longer open. The order itself shows its state.
    if (!(error instanceof PayPalRefusal)) throw error;
  }
  const order = await requireOrder(ask, id);
  if (answers.isFinished(order)) {
    return { id, status: 'canceled', capturedAmountMinor: null, capturedCurrency: null, declineCode: null };
  }
  const payment = answers.toPayment(order);
  if (payment.status !== 'captured') throw new GatewayError('outcome_unknown', 'PayPal did not close the order.');
  return payment;
}

/** Refunds with the key also as the invoice id: PayPal refunds an invoice id only once, and remembers it longer than a request id. */
async function refundPayment(ask: AskPayPal, request: RefundRequest) {
  const { idempotencyKey, gatewayPaymentId, amountMinor, reference } = request;
  const { id: captureId, amount: captured } = answers.requireCapture(await requireOrder(ask, gatewayPaymentId));
  const currency = captured.currency_code;
  const key = toHeaderKey(idempotencyKey, REQUEST_ID_LENGTH);
  const reason = request.details?.reason?.slice(0, REASON_LENGTH);
  const body = {
    ...{ amount: toPayPalAmount(amountMinor, currency), customId: writeRefundCustomId(request), invoiceId: key },
    ...(reason ? { noteToPayer: reason } : {}),
  };
  let answer: unknown;
  try {
    answer = await ask(({ payments }) =>
      payments.refundCapturedPayment({ captureId, body, paypalRequestId: key, prefer }),
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new GatewayError('conflict', 'PayPal has refunded with this key before.');
  }
  const refund = answers.readRefund(answer, reference);
  if (refund?.amountMinor !== amountMinor || refund.currency !== currency) {
    throw new GatewayError('conflict', 'PayPal answered with the refund of another request.');
  }
  return refund;
}
