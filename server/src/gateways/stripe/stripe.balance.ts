/** Reads what moves the balance of the account (https://docs.stripe.com/api/balance_transactions) and its payouts. */
import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type { GatewayBalance, GatewayMovement, GatewayPayout } from '../gateway/gateway.books.ts';
import { textLike } from '../gateway/gateway.shapes.ts';
import type { GatewayBookPage } from '../gateway/gateway.ts';
import { fromStripeAmount } from './answers/stripe.amounts.ts';
import * as answers from './answers/stripe.answers.ts';
import { type BeginStripeCall, StripeRefusal } from './answers/stripe.connection.ts';
import { refuseOtherIds } from './answers/stripe.ids.ts';
import { type BookQuery, readPage } from './stripe.books.ts';

const PAGE_SIZE = 100;
/** A payout's own movement, which is in the list of what it pays out. */
const PAYOUT = 'payout';
/** Movements that return the money of a payout. */
const RETURNS = ['payout_failure', 'payout_cancel'];

const id = textLike(/^\w{1,255}$/);
const amount = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const seconds = Type.Integer({ minimum: 0, maximum: 100_000_000_000 });
const currency = textLike(/^[a-z]{3}$/);
const word = textLike(/^[a-z0-9_]{1,64}$/);
const Movement = Type.Object({
  id,
  object: Type.Enum(['balance_transaction']),
  type: word,
  net: amount,
  fee: amount,
  currency,
  created: seconds,
  /** A charge, a refund or a dispute names its payment. */
  source: Type.Union([
    id,
    Type.Object({ id, payment_intent: Type.Optional(Type.Union([id, Type.Null()])) }),
    Type.Null(),
  ]),
});
const Payout = Type.Object({
  id,
  object: Type.Enum(['payout']),
  status: Type.Enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']),
  automatic: Type.Boolean(),
  reconciliation_status: Type.Optional(Type.Union([word, Type.Null()])),
  amount,
  currency,
  created: seconds,
});

/** Implements what `GatewayBalance` says. */
export function createBalance(begin: BeginStripeCall): GatewayBalance {
  const expand = ['data.source'];
  const list = (query: BookQuery) =>
    begin()((stripe, options) => stripe.balanceTransactions.list({ ...query, expand }, options));
  return {
    listMovements: (request) => readPage(request, readMovement, list),
    listPayouts: (request) =>
      readPage(request, readPayout, (query) => begin()((stripe, options) => stripe.payouts.list(query, options))),
    listMovementsOfPayout: (payout, cursor) => listMovementsOfPayout(begin, payout, cursor),
    findMovement: (movement) =>
      findOne(movement, readMovement, () =>
        begin()((stripe, options) => stripe.balanceTransactions.retrieve(movement, { expand: ['source'] }, options)),
      ),
    findPayout: (payout) =>
      findOne(payout, readPayout, () => begin()((stripe, options) => stripe.payouts.retrieve(payout, {}, options))),
  };
}

async function findOne<Found>(
  wanted: string,
  read: (answer: unknown) => Found,
  retrieve: () => Promise<unknown>,
): Promise<Found | null> {
  refuseOtherIds(wanted);
  try {
    return read(await retrieve());
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return null;
    throw error;
  }
}

async function listMovementsOfPayout(
  begin: BeginStripeCall,
  payout: string,
  cursor: string | null,
): Promise<GatewayBookPage<GatewayMovement>> {
  refuseOtherIds(payout);
  const query = { payout, limit: PAGE_SIZE, expand: ['data.source'], ...(cursor ? { starting_after: cursor } : {}) };
  const page = await begin()((stripe, options) => stripe.balanceTransactions.list(query, options));
  if (!Array.isArray(page.data)) throw answers.unreadable();
  const paidOut = page.data.filter(({ type }) => type !== PAYOUT);
  return { entries: paidOut.map(readMovement), nextCursor: answers.readLastId(page) ?? null };
}

function readMovement(answer: unknown): GatewayMovement {
  const movement = answers.read(Movement, answer);
  const code = movement.currency.toUpperCase();
  const { source } = movement;
  const sourceId = typeof source === 'object' && source !== null ? source.id : source;
  return {
    id: movement.id,
    gatewayPaymentId: typeof source === 'object' ? (source?.payment_intent ?? null) : null,
    returnedPayoutId: RETURNS.includes(movement.type) ? sourceId : null,
    netMinor: fromStripeAmount(movement.net, code),
    feeMinor: fromStripeAmount(movement.fee, code),
    currency: code,
    createdAt: new Date(movement.created * 1_000),
  };
}

function readPayout(answer: unknown): GatewayPayout {
  const payout = answers.read(Payout, answer);
  const code = payout.currency.toUpperCase();
  return {
    id: payout.id,
    status: statusOf(payout),
    isDivided: payout.automatic,
    amountMinor: fromStripeAmount(payout.amount, code),
    currency: code,
    createdAt: new Date(payout.created * 1_000),
  };
}

/** Stripe tells what an automatic payout pays out as soon as that is reconciled. */
function statusOf({ status, reconciliation_status: reconciliation }: Static<typeof Payout>): GatewayPayout['status'] {
  if (status === 'failed' || status === 'canceled') return 'failed';
  return status === 'pending' || reconciliation === 'in_progress' ? 'pending' : 'paid';
}
