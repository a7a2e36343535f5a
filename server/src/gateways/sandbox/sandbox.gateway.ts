/** The adapter for the sandbox gateway. It always uses HTTP, even to a gateway in the same process. */

import type { Static } from 'typebox';
import type { FieldsRefusal, GatewayFields } from '../gateway/gateway.cards.ts';
import { connectToGateway, type GatewayAnswer, type SendGatewayRequest } from '../gateway/gateway.connection.ts';
import { toHeaderKey } from '../gateway/gateway.keys.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import type {
  DebtRequest,
  Gateway,
  GatewayBookPage,
  GatewayBookRequest,
  GatewayDebtPayment,
  GatewayPayment,
  GatewayPaymentObject,
  GatewayPaymentRefund,
  GatewayRefund,
  GatewayRefundObject,
  PaymentRequest,
} from '../gateway/gateway.ts';
import {
  AnsweredChallenge,
  ConfirmedSetup,
  CreatedSetup,
  DebtPaymentList,
  FoundSetup,
  Nothing,
  Payment,
  type PaymentListedOnTheWire,
  PaymentPage,
  Refund,
  type RefundListedOnTheWire,
  type RefundOnTheWire,
  RefundPage,
  Refusal,
  TokenizedCard,
  VaultedAccount,
} from './bank/bank.schema.ts';
import { read, unreadable, writeBookQuery } from './sandbox.answers.ts';
import { findDispute, listDisputes } from './sandbox.disputes.ts';

const defaultTimeoutMs = 20_000;
const KEY_LENGTH = 255;
/** Enough for all objects of a debt, which come in one answer. */
const maximumAnswerBytes = 1024 * 1024;

export type SandboxGatewayAdapterOptions = {
  baseUrl: string;
  /** The bearer token that the gateway was started with. */
  secret: string;
  /** The time limit of each call; 20 seconds by default. */
  timeoutMs?: number;
};

/** Creates the adapter. It opens no connection before the first call and keeps no process alive. Throws if the base URL is invalid. */
export function createSandboxGateway({
  baseUrl,
  secret,
  timeoutMs = defaultTimeoutMs,
}: SandboxGatewayAdapterOptions): Gateway {
  const headers = { authorization: `Bearer ${secret}` };
  const send = connectToGateway({ baseUrl, timeoutMs, maximumAnswerBytes, headers });
  return {
    name: 'sandbox',

    async tokenizeCard({ number, securityCode, expMonth, expYear, name, country }) {
      const body = { number, securityCode, expMonth, expYear, name, country };
      const { token, brand } = read(TokenizedCard, await send({ method: 'POST', path: '/cards', body }));
      // The token is stored, so it must not contain the card number.
      if (token.includes(number)) throw unreadable();
      return { token, brand };
    },

    fields: createFields(send),

    async vaultAccount({ setupToken, holder: { companyId } }) {
      const answer = await send({ method: 'POST', path: '/accounts', body: { setupToken, companyId } });
      const { token, email } = read(VaultedAccount, answer);
      return { token, email };
    },

    detachSource: (token, limitMs) => detachSource(send, token, limitMs),
    createPayment: (request) => createPayment(send, request),

    async confirmPayment({ gatewayPaymentId, session, ...request }) {
      const idempotencyKey = toHeaderKey(request.idempotencyKey, KEY_LENGTH);
      const path = `${pathOfPayment(gatewayPaymentId)}/confirm`;
      const answer = await send({ method: 'POST', path, body: { idempotencyKey, session } });
      const payment = readPayment(answer, gatewayPaymentId);
      if (payment.status === 'created' || payment.status === 'canceled') throw unreadable();
      return payment;
    },

    async cancelPayment(gatewayPaymentId) {
      const path = `${pathOfPayment(gatewayPaymentId)}/cancel`;
      const payment = readPayment(await send({ method: 'POST', path, body: {} }), gatewayPaymentId);
      if (payment.status !== 'captured' && payment.status !== 'canceled' && payment.status !== 'processing')
        throw unreadable();
      return payment;
    },

    findPayment: (gatewayPaymentId) => findPayment(send, gatewayPaymentId),

    listPaymentsOfDebt: (request) => listPaymentsOfDebt(send, request),

    async refundPayment({ gatewayPaymentId, amountMinor, reference, details, ...request }) {
      const idempotencyKey = toHeaderKey(request.idempotencyKey, KEY_LENGTH);
      const body = { idempotencyKey, gatewayPaymentId, amountMinor: amountMinor.toString(), reference, details };
      return toRefund(read(Refund, await send({ method: 'POST', path: '/refunds', body })));
    },

    findRefund: (gatewayPaymentId, reference) => findRefund(send, gatewayPaymentId, reference),

    listRefundsOf: (gatewayPaymentId) => listRefundsOf(send, gatewayPaymentId),

    findDispute: (gatewayDisputeId) => findDispute(send, gatewayDisputeId),
    listDisputes: (request) => listDisputes(send, request),

    listPayments: (request) => listPayments(send, request),
    listRefunds: (request) => listRefunds(send, request),
  };
}

/** The sandbox has no script for a browser, so its fields are requests, too. */
function createFields(send: SendGatewayRequest): GatewayFields {
  return {
    publishableKey: 'pk_sandbox',
    createSetup: async ({ method }) =>
      read(CreatedSetup, await send({ method: 'POST', path: '/setups', body: { method } })),
    findSetup: async (id) => {
      const { status, card } = read(
        FoundSetup,
        await send({ method: 'GET', path: `/setups/${encodeURIComponent(id)}` }),
      );
      if (card === null || !('method' in card)) return { status, card };
      const { mandate } = card;
      return { status, card: { ...card, mandate: { ...mandate, acceptedAt: new Date(mandate.acceptedAt) } } };
    },
    browser: {
      confirmSetup: async (clientSecret, typed) =>
        readFieldsAnswer(
          ConfirmedSetup,
          await send({ method: 'POST', path: '/setups/confirm', body: { clientSecret, ...typed } }),
        ),
      answerChallenge: async (clientSecret, outcome) =>
        readFieldsAnswer(
          AnsweredChallenge,
          await send({ method: 'POST', path: '/challenges', body: { clientSecret, outcome } }),
        ),
    },
  };
}

function readFieldsAnswer<Shape extends typeof ConfirmedSetup | typeof AnsweredChallenge>(
  shape: Shape,
  answer: GatewayAnswer,
): Static<Shape>['status'] | FieldsRefusal {
  if (matches(Refusal, answer.body)) {
    const { code } = answer.body.error;
    if (code === 'client_secret_unknown') return 'unknown';
    if (code === 'nothing_to_confirm' || code === 'other_method') return code;
  }
  return read(shape, answer).status;
}

async function findPayment(send: SendGatewayRequest, gatewayPaymentId: string): Promise<GatewayPayment | null> {
  const answer = await send({ method: 'GET', path: pathOfPayment(gatewayPaymentId) });
  if (answer.status !== 404) return readPayment(answer, gatewayPaymentId);
  // Only this code means that the payment does not exist. Any other 404 comes from a proxy.
  if (matches(Refusal, answer.body) && answer.body.error.code === 'payment_unknown') return null;
  throw unreadable();
}

async function createPayment(send: SendGatewayRequest, request: PaymentRequest): Promise<GatewayPayment> {
  const { amountMinor, currency, sourceToken, reference, debt, sequence, details, timeoutMs } = request;
  const idempotencyKey = toHeaderKey(request.idempotencyKey, KEY_LENGTH);
  const what = { amountMinor: amountMinor.toString(), currency, sourceToken };
  const body = { idempotencyKey, ...what, reference, debt, sequence, details };
  return readPayment(await send({ method: 'POST', path: '/payments', body, timeoutMs }));
}

async function listPaymentsOfDebt(
  send: SendGatewayRequest,
  { debt, known }: DebtRequest,
): Promise<GatewayDebtPayment[]> {
  const older = known.filter(({ carriesDebt = false }) => !carriesDebt);
  const body = { debt, references: older.map(({ reference }) => reference) };
  const { payments } = read(DebtPaymentList, await send({ method: 'POST', path: '/debts', body }));
  return payments.map((payment) => toPaymentObject(payment));
}

async function findRefund(
  send: SendGatewayRequest,
  gatewayPaymentId: string,
  reference: string,
): Promise<GatewayRefund | null> {
  const path = `${pathOfPayment(gatewayPaymentId)}/refunds?${new URLSearchParams({ reference })}`;
  const answer = await send({ method: 'GET', path });
  if (answer.status !== 404) return toRefund(read(Refund, answer));
  if (matches(Refusal, answer.body) && answer.body.error.code === 'refund_unknown') return null;
  throw unreadable();
}

async function listRefundsOf(send: SendGatewayRequest, gatewayPaymentId: string): Promise<GatewayPaymentRefund[]> {
  const path = `${pathOfPayment(gatewayPaymentId)}/refunds`;
  return read(RefundPage, await send({ method: 'GET', path })).entries.map(toPaymentRefund);
}

async function listPayments(
  send: SendGatewayRequest,
  request: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayPaymentObject>> {
  const path = `/payments?${writeBookQuery(request)}`;
  const { entries, nextCursor } = read(PaymentPage, await send({ method: 'GET', path }));
  return { entries: entries.map(toPaymentObject), nextCursor };
}

async function listRefunds(
  send: SendGatewayRequest,
  request: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayRefundObject>> {
  const path = `/refunds?${writeBookQuery(request)}`;
  const { entries: listed, nextCursor } = read(RefundPage, await send({ method: 'GET', path }));
  const entries = listed.map((refund) => {
    return { kind: 'refund' as const, status: 'succeeded' as const, ...toPaymentRefund(refund) };
  });
  return { entries, nextCursor };
}

async function detachSource(send: SendGatewayRequest, token: string, timeoutMs?: number): Promise<void> {
  read(Nothing, await send({ method: 'POST', path: '/cards/detach', body: { token }, timeoutMs }));
}

function toRefund({ id, amountMinor, currency }: RefundOnTheWire): GatewayRefund {
  return { id, amountMinor: BigInt(amountMinor), currency };
}

function toPaymentObject(payment: PaymentListedOnTheWire) {
  return {
    ...payment,
    kind: 'payment' as const,
    amountMinor: BigInt(payment.amountMinor),
    capturedAmountMinor: payment.capturedAmountMinor === null ? null : BigInt(payment.capturedAmountMinor),
    reference: payment.reference || null,
    refundedMinor: BigInt(payment.refundedMinor),
    createdAt: new Date(payment.createdAt),
  };
}

function toPaymentRefund(refund: RefundListedOnTheWire): GatewayPaymentRefund {
  return {
    ...refund,
    amountMinor: BigInt(refund.amountMinor),
    reference: refund.reference || null,
    createdAt: new Date(refund.createdAt),
  };
}

function pathOfPayment(gatewayPaymentId: string): string {
  return `/payments/${encodeURIComponent(gatewayPaymentId)}`;
}

function readPayment(answer: GatewayAnswer, expectedId?: string): GatewayPayment {
  const payment = read(Payment, answer);
  const { id, status, capturedAmountMinor, capturedCurrency, declineCode } = payment;
  if (expectedId !== undefined && id !== expectedId) throw unreadable();
  const amountMinor = capturedAmountMinor === null ? null : BigInt(capturedAmountMinor);
  const action =
    status === 'requires_action' ? { action: { clientSecret: payment.clientSecret ?? '', redirectUrl: null } } : {};
  return { id, status, capturedAmountMinor: amountMinor, capturedCurrency, declineCode, ...action };
}
