/**
 * The sandbox gateway's ledger, in a SQLite file separate from the application's tables, so that tests can compare the two. It survives
 * a kill, serves several processes, and contains neither a card number nor a security code.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { CardDetails, TokenizedCard, VaultedAccount } from '../../gateway/gateway.ts';
import * as accounts from './accounts.queries.ts';
import { declineCodeOfSetupToken } from './accounts.ts';
import * as queries from './bank.queries.ts';
import type {
  AccountRequestOnTheWire,
  GatewayOperation,
  PaymentOnTheWire,
  PaymentRequestOnTheWire,
  RefundOnTheWire,
  RefundRequestOnTheWire,
  Session,
} from './bank.schema.ts';
import { asksOfCardNumber, brandOfCardNumber, declineCodeOfCardNumber, isCardNumber } from './cards.ts';
import {
  charge,
  describePayment,
  type FaultBehavior,
  findSource,
  LedgerRefusal,
  newIdentifier,
  withSecret,
} from './charges.ts';
import * as tables from './tables.queries.ts';

const busyTimeoutMs = 5_000;
const busyRetryDelayMs = 10;

/** Opens the ledger or creates it, readable only by its owner. Rejects if other processes lock it for too long. */
export async function openLedger(path: string): Promise<DatabaseSync> {
  createOwnerOnly(path);
  const startedMs = performance.now();
  for (;;) {
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readBigInts: true });
    try {
      tables.makeDurable(database);
      queries.inTransaction(database, () => tables.ensureSchema(database));
      return database;
    } catch (error) {
      database.close();
      // SQLite does not wait for another process that also switches the file to WAL, so this retries.
      if (!tables.isBusy(error) || performance.now() - startedMs > busyTimeoutMs) throw error;
      await delay(busyRetryDelayMs);
    }
  }
}

/** SQLite gives its -wal and -shm files the mode of this one. */
function createOwnerOnly(path: string): void {
  try {
    // Only for a new file: closing a second handle of an open ledger would release this process's locks on it.
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Exchanges the card for a random token, from which the number can't be derived. Refuses an invalid card number. `isSetUp`: it is saved in
 * the fields, where its bank asks the holder.
 */
export function tokenizeCard(
  database: DatabaseSync,
  card: Omit<CardDetails, 'holder'>,
  { isSetUp }: { isSetUp: boolean } = { isSetUp: false },
): TokenizedCard {
  if (!isCardNumber(card.number)) throw new LedgerRefusal(422, 'invalid_card_number');
  const token = newIdentifier('card');
  const brand = brandOfCardNumber(card.number);
  queries.insertCard(database, {
    token,
    brand,
    firstFour: card.number.slice(0, 4),
    lastFour: card.number.slice(-4),
    declineCode: declineCodeOfCardNumber(card.number),
    asks: asksOfCardNumber(card.number),
    isSetUp: isSetUp ? 1n : 0n,
  });
  return { token, brand };
}

/** Detaches a card or an account, so that it can't be charged. */
export function detachSource(database: DatabaseSync, token: string): void {
  queries.inTransaction(database, () => queries.detachSource(database, token));
}

/**
 * Exchanges the setup token for a random one of the company's. A repeat returns the same account, attached again. Only a digest of the
 * setup token is stored.
 */
export function vaultAccount(
  database: DatabaseSync,
  { setupToken, companyId = '' }: AccountRequestOnTheWire,
): VaultedAccount {
  const setupDigest = createHash('sha256').update(`${companyId}${setupToken}`).digest('base64url');
  return queries.inTransaction(database, () => {
    const known = accounts.selectAccountOfSetup(database, setupDigest);
    if (known) {
      accounts.attachAccount(database, known.token);
      return { token: known.token, email: known.email };
    }
    const email = `payer-${randomBytes(6).toString('hex')}@example.com`;
    const account = { token: newIdentifier('account'), email };
    accounts.insertAccount(database, { ...account, setupDigest, declineCode: declineCodeOfSetupToken(setupToken) });
    return account;
  });
}

/** Creates a payment without moving money. The same key returns the same payment. Refuses an unknown token. */
export function createPayment(
  database: DatabaseSync,
  request: PaymentRequestOnTheWire,
  behavior: FaultBehavior,
): PaymentOnTheWire {
  const { idempotencyKey: key, currency, sourceToken, reference, debt = null } = request;
  const sequence = request.sequence === undefined ? null : BigInt(request.sequence);
  const details = JSON.stringify(request.details ?? {});
  const parameters = [request.amountMinor, currency, sourceToken, reference, debt, String(sequence), details];
  return once(database, { key, operation: 'create', parameters, behavior }, () => {
    if (!findSource(database, sourceToken)) throw new LedgerRefusal(422, 'source_token_unknown');
    const id = newIdentifier('payment');
    const payment = {
      id,
      amountMinor: BigInt(request.amountMinor),
      currency,
      sourceToken,
      reference,
      status: 'created' as const,
      declineCode: null,
      debt,
      sequence,
      details,
    };
    queries.insertPayment(database, payment);
    return describePayment(database, payment);
  });
}

/**
 * Captures a payment at most once, whatever the keys, unless the bank first asks the holder. A declined payment may be tried again until it
 * is canceled.
 */
export function confirmPayment(
  database: DatabaseSync,
  request: { gatewayPaymentId: string; idempotencyKey: string; session?: Session | undefined },
  behavior: FaultBehavior,
): PaymentOnTheWire {
  const { gatewayPaymentId: id, idempotencyKey: key, session = 'on' } = request;
  const answer = once(database, { key, operation: 'confirm', parameters: [id], behavior }, () => {
    const payment = requirePayment(database, id);
    if (payment.status === 'canceled') throw new LedgerRefusal(409, 'payment_canceled');
    if (payment.status === 'created' || payment.status === 'declined') charge(database, payment, session, behavior);
    return describePayment(database, requirePayment(database, id));
  });
  // The ledger keeps answers, but no client secret.
  return withSecret(database, answer);
}

/** Cancels a payment permanently. Returns a captured payment unchanged. */
export function cancelPayment(database: DatabaseSync, id: string): PaymentOnTheWire {
  return queries.inTransaction(database, () => {
    const payment = requirePayment(database, id);
    queries.updatePaymentStatus(database, id, 'canceled', payment.declineCode);
    return describePayment(database, requirePayment(database, id));
  });
}

/** Returns the payment in its present state. Refuses an unknown id with 404 `payment_unknown`. */
export function findPayment(database: DatabaseSync, id: string): PaymentOnTheWire {
  return withSecret(database, describePayment(database, requirePayment(database, id)));
}

/** Refunds a payment. The sum of its refunds never exceeds the captured amount. */
export function refundPayment(
  database: DatabaseSync,
  request: RefundRequestOnTheWire,
  behavior: FaultBehavior,
): RefundOnTheWire {
  const { gatewayPaymentId, reference, idempotencyKey: key } = request;
  const amountMinor = BigInt(request.amountMinor);
  const details = JSON.stringify(request.details ?? {});
  const parameters = [gatewayPaymentId, request.amountMinor, reference, details];
  return once(database, { key, operation: 'refund', parameters, behavior }, () => {
    requirePayment(database, gatewayPaymentId);
    const capture = queries.selectCapture(database, gatewayPaymentId);
    if (!capture) throw new LedgerRefusal(409, 'payment_not_captured');
    const refundedMinor = queries.selectRefundedAmount(database, gatewayPaymentId);
    if (refundedMinor + amountMinor > capture.amountMinor) throw new LedgerRefusal(422, 'refund_exceeds_capture');

    const refund = { id: newIdentifier('refund'), amountMinor, currency: capture.currency };
    queries.insertRefund(database, { ...refund, paymentId: gatewayPaymentId, reference, details });
    return { ...refund, amountMinor: amountMinor.toString() };
  });
}

/** Returns the refund with this reference. Refuses an unknown one with 404 `refund_unknown`. */
export function findRefund(database: DatabaseSync, gatewayPaymentId: string, reference: string): RefundOnTheWire {
  const refund = queries.selectRefund(database, gatewayPaymentId, reference);
  if (!refund) throw new LedgerRefusal(404, 'refund_unknown');
  return { id: refund.id, amountMinor: refund.amountMinor.toString(), currency: refund.currency };
}

/** Reads the whole ledger at one moment. Tests take it as the truth. */
export function readLedger(database: DatabaseSync): queries.LedgerRows {
  return queries.inTransaction(database, () => queries.selectLedger(database));
}

/** Deletes all idempotency keys, as real gateways do after some hours. */
export function forgetIdempotencyKeys(database: DatabaseSync): void {
  queries.deleteIdempotencyKeys(database);
}

type KeyedCall = { key: string; operation: GatewayOperation; parameters: (string | null)[]; behavior: FaultBehavior };

/** Does the work once for each key, in one transaction with storing the answer. Refusals have no effect and are not stored. */
function once<Answer>(database: DatabaseSync, call: KeyedCall, work: () => Answer): Answer {
  const parameters = JSON.stringify(call.parameters);
  const outcome = queries.inTransaction(database, () => {
    const known = queries.selectIdempotencyKey(database, call.key);
    if (known && (known.operation !== call.operation || known.parameters !== parameters)) {
      throw new LedgerRefusal(422, 'idempotency_key_reused');
    }
    const answer = known ? (JSON.parse(known.answer) as Answer) : work();
    const failed = known?.failed === 1n || call.behavior.storesServerError === true;
    if (!known || failed) {
      const row = { key: call.key, operation: call.operation, parameters, answer: JSON.stringify(answer) };
      queries.upsertIdempotencyKey(database, { ...row, failed: failed ? 1n : 0n });
    }
    return { answer, failed };
  });
  if (outcome.failed) throw new LedgerRefusal(500, 'server_error');
  return outcome.answer;
}

function requirePayment(database: DatabaseSync, id: string): queries.PaymentRow {
  const payment = queries.selectPayment(database, id);
  if (!payment) throw new LedgerRefusal(404, 'payment_unknown');
  return payment;
}
