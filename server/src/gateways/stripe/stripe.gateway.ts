/** The adapter for Stripe (https://docs.stripe.com/api). It is loaded only if Stripe is configured, because its package is large. */
import type Stripe from 'stripe';
import type { GatewayDispute } from '../gateway/gateway.disputes.ts';
import { toHeaderKey } from '../gateway/gateway.keys.ts';
import { writeRefundDetails } from '../gateway/gateway.metadata.ts';
import {
  type CardDetails,
  type ConfirmRequest,
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type TokenizedCard,
} from '../gateway/gateway.ts';
import { toStripeAmount } from './answers/stripe.amounts.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, type CallOptions, connectToStripe, StripeRefusal } from './answers/stripe.connection.ts';
import { readDispute } from './answers/stripe.disputes.ts';
import { isDebitToken, readSourceToken, refuseOtherIds } from './answers/stripe.ids.ts';
import { createBalance } from './stripe.balance.ts';
import { listDisputes, listPayments, listRefunds } from './stripe.books.ts';
import { describeCustomer, isMissingCustomer, requireCustomer } from './stripe.customers.ts';
import { listPaymentsOfDebt } from './stripe.debts.ts';
import { describeInvoice } from './stripe.descriptions.ts';
import { createGatewayEventReader } from './stripe.gateway-events.ts';
import { findRefund, listRefundsOf } from './stripe.refunds.ts';
import { createFields, takeCard } from './stripe.setups.ts';

const defaultTimeoutMs = 20_000;
const STRIPE_API_BASE = 'https://api.stripe.com';
/** The maximum length of an idempotency key: https://docs.stripe.com/api/idempotent_requests */
const KEY_LENGTH = 255;

export type StripeGatewayOptions = {
  /** The address of another server with Stripe's API, such as stripe-mock. */
  baseUrl?: string;
  secretKey: string;
  /** Without it, there are no setups. */
  publishableKey?: string | undefined;
  /** Without it, the webhook reads no gateway events. */
  webhookSecret?: string | undefined;
  /** The time limit of each call with all its requests; 20 seconds by default. */
  timeoutMs?: number;
};

/** Creates the adapter. It opens no connection before the first call and keeps no process alive. Throws if the base URL is invalid. */
export function createStripeGateway({
  baseUrl = STRIPE_API_BASE,
  secretKey,
  publishableKey,
  webhookSecret,
  timeoutMs = defaultTimeoutMs,
}: StripeGatewayOptions): Gateway {
  const begin = connectToStripe({ baseUrl, secretKey, timeoutMs });
  return {
    name: 'stripe',
    tokenizeCard: (card) => tokenizeCard(begin(), card),
    takeCard: (id, holder) => takeCard(begin(), id, holder),
    ...(publishableKey === undefined ? {} : { fields: createFields(begin, publishableKey) }),

    async createPayment({ idempotencyKey, amountMinor, currency, sourceToken, timeoutMs: limitMs, ...named }) {
      const params = {
        ...readSourceToken(sourceToken),
        amount: toStripeAmount(amountMinor, currency),
        currency: currency.toLowerCase(),
        confirm: false,
        payment_method_types: [isDebitToken(sourceToken) ? 'sepa_debit' : 'card'],
        ...describeInvoice(named.details.invoiceNumber, { isDebit: isDebitToken(sourceToken) }),
        metadata: answers.writeMetadata(named),
      };
      const intent = await begin(limitMs)((stripe, options) =>
        stripe.paymentIntents.create(params, { ...options, idempotencyKey: toHeaderKey(idempotencyKey, KEY_LENGTH) }),
      );
      return answers.readPayment(intent);
    },

    describeCustomer: (description) => describeCustomer(begin(), description),
    detachSource: (token, limitMs) => detachCard(begin(limitMs), token),
    confirmPayment: (request) => confirmPayment(begin(), request),
    askCustomer: (request) => askCustomer(begin(), request),
    cancelPayment: (gatewayPaymentId) => cancelPayment(begin(), gatewayPaymentId),
    findPayment: (gatewayPaymentId) => findPayment(begin(), gatewayPaymentId),
    listPaymentsOfDebt: (request) => listPaymentsOfDebt(begin(), request),

    async refundPayment({ idempotencyKey, gatewayPaymentId, amountMinor, reference, details = {} }) {
      const ask = begin();
      const payment = await requirePayment(ask, gatewayPaymentId);
      if (payment.capturedCurrency === null) throw new GatewayError('rejected', 'Nothing was captured of the payment.');
      const params = {
        payment_intent: gatewayPaymentId,
        amount: toStripeAmount(amountMinor, payment.capturedCurrency),
        metadata: { paydesk_refund: reference, ...writeRefundDetails(details) },
      };
      return answers.readRefund(
        await ask((stripe, options) =>
          stripe.refunds.create(params, { ...options, idempotencyKey: toHeaderKey(idempotencyKey, KEY_LENGTH) }),
        ),
      );
    },

    findRefund: (gatewayPaymentId, reference) => findRefund(begin(), gatewayPaymentId, reference),
    listRefundsOf: (gatewayPaymentId) => listRefundsOf(begin(), gatewayPaymentId),
    findDispute: (gatewayDisputeId) => findDispute(begin(), gatewayDisputeId),

    listPayments: (request) => listPayments(begin, request),
    listRefunds: (request) => listRefunds(begin, request),
    listDisputes: (request) => listDisputes(begin, request),
    ...createBalance(begin),

    ...(webhookSecret === undefined ? {} : { readGatewayEvent: createGatewayEventReader(webhookSecret) }),
  };
}

async function tokenizeCard(ask: AskStripe, card: CardDetails): Promise<TokenizedCard> {
  const { holder } = card;
  const method = await createPaymentMethod(ask, card);
  const attachTo = (customer: string) =>
    ask((stripe, options) => stripe.paymentMethods.attach(method.id, { customer }, options));
  let customer = holder.customer ?? (await requireCustomer(ask, holder));
  try {
    await attachTo(customer);
  } catch (error) {
    if (!isMissingCustomer(error)) throw error;
    customer = await requireCustomer(ask, holder, { gone: customer, suffix: `-${method.id}` });
    await attachTo(customer);
  }
  const token = `${customer}/${method.id}`;
  // The token is stored, so it must not contain the card number.
  if (token.includes(card.number)) throw answers.unreadable();
  return { token, brand: method.card.brand, customer };
}

/** Detaches a card from its customer. Stripe then neither charges it nor attaches it again. */
async function detachCard(ask: AskStripe, token: string): Promise<void> {
  const { payment_method: id } = readSourceToken(token);
  try {
    await ask((stripe, options) => stripe.paymentMethods.detach(id, {}, options));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    if (error.code === 'resource_missing') return;
    // Stripe refuses to detach a detached card, but has no error code for it.
    const method = await ask((stripe, options) => stripe.paymentMethods.retrieve(id, {}, options));
    if (method.customer !== null) throw error;
  }
}

async function createPaymentMethod(ask: AskStripe, card: CardDetails) {
  const { number, securityCode, expMonth, expYear, name, country } = card;
  const params = {
    type: 'card',
    card: { number, cvc: securityCode, exp_month: expMonth, exp_year: expYear },
    billing_details: { name, ...(/^[A-Z]{2}$/.test(country) ? { address: { country } } : {}) },
  } as const;
  try {
    const method = await ask((stripe, options) => stripe.paymentMethods.create(params, options));
    return answers.read(answers.PaymentMethod, method);
  } catch (error) {
    // Otherwise the Stripe account may not send card numbers, which only the operator can change.
    const isAboutTheCard = error instanceof StripeRefusal && (error.type === 'card_error' || error.parameter !== '');
    if (!(error instanceof StripeRefusal) || isAboutTheCard) throw error;
    throw new GatewayError('unauthorized', 'Stripe takes no card numbers from this account until it has enabled them.');
  }
}

function confirmPayment(ask: AskStripe, request: ConfirmRequest): Promise<GatewayPayment> {
  const params = request.session === 'on' ? { return_url: request.returnUrl } : { off_session: true };
  return confirmWith(ask, request.gatewayPaymentId, params, request.idempotencyKey);
}

/** After the error off session, the intent has no card any more: the error names it (https://docs.stripe.com/payments/save-and-reuse). */
async function askCustomer(
  ask: AskStripe,
  { gatewayPaymentId: id, returnUrl }: { gatewayPaymentId: string; returnUrl: string },
): Promise<GatewayPayment> {
  refuseOtherIds(id);
  const intent = await ask((stripe, options) => stripe.paymentIntents.retrieve(id, {}, options));
  const card = answers.readRefusedCard(intent, id);
  if (card === null) return answers.readPayment(intent, id);
  return confirmWith(ask, id, { payment_method: card, return_url: returnUrl }, `${id}-ask`);
}

/** If Stripe refuses because of the payment's state, the refusal does not name that state, so the payment is read. */
async function confirmWith(
  ask: AskStripe,
  id: string,
  params: Stripe.PaymentIntentConfirmParams,
  key: string,
): Promise<GatewayPayment> {
  const idempotencyKey = toHeaderKey(key, KEY_LENGTH);
  refuseOtherIds(id);
  const confirm = (stripe: Stripe, options: CallOptions) =>
    stripe.paymentIntents.confirm(id, params, { ...options, idempotencyKey });
  let payment: GatewayPayment;
  try {
    payment = answers.readPayment(await ask(confirm), id);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    if (error.type === 'card_error') payment = answers.readPayment(error.paymentIntent, id);
    else if (isStateRefusal(error)) payment = await requirePayment(ask, id);
    else throw error;
    if (payment.status === 'created' || payment.status === 'canceled') throw error;
  }
  if (payment.status === 'created' || payment.status === 'canceled') throw answers.unreadable();
  return payment;
}

async function cancelPayment(ask: AskStripe, id: string): Promise<GatewayPayment> {
  refuseOtherIds(id);
  let payment: GatewayPayment;
  try {
    payment = answers.readPayment(await ask((stripe, options) => stripe.paymentIntents.cancel(id, {}, options)), id);
  } catch (error) {
    if (!isStateRefusal(error)) throw error;
    payment = await requirePayment(ask, id);
  }
  if (payment.status === 'created' || payment.status === 'declined') throw answers.unreadable();
  return payment;
}

async function findPayment(ask: AskStripe, id: string): Promise<GatewayPayment | null> {
  refuseOtherIds(id);
  try {
    return answers.readPayment(await ask((stripe, options) => stripe.paymentIntents.retrieve(id, {}, options)), id);
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return null;
    throw error;
  }
}

async function requirePayment(ask: AskStripe, id: string): Promise<GatewayPayment> {
  const payment = await findPayment(ask, id);
  if (payment === null) throw new GatewayError('rejected', 'Stripe does not have this payment.');
  return payment;
}

async function findDispute(ask: AskStripe, id: string): Promise<GatewayDispute[]> {
  refuseOtherIds(id);
  try {
    const dispute = await ask((stripe, options) => stripe.disputes.retrieve(id, {}, options));
    if (dispute.id !== id) throw answers.unreadable();
    const found = readDispute(dispute);
    return found === null ? [] : [found];
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return [];
    throw error;
  }
}

function isStateRefusal(error: unknown): boolean {
  return error instanceof StripeRefusal && error.code === 'payment_intent_unexpected_state';
}
