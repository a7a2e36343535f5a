/** What the bank decides about a charge: at once, or once the holder has confirmed it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { selectAccount, selectDebit } from './accounts.queries.ts';
import * as queries from './bank.queries.ts';
import type { PaymentOnTheWire, Session } from './bank.schema.ts';
import * as debits from './books.queries.ts';
import { selectFingerprintKey } from './setups.queries.ts';

/** A refusal of the gateway, with the HTTP status and the code of its answer. */
export class LedgerRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.name = 'LedgerRefusal';
    this.status = status;
    this.code = code;
  }
}

/** The bank's answer to a charge: a capture, or the code of a decline. */
export type BankDecision = { amountMinor: bigint; currency: string } | { declineCode: string };

/** What the ledger does wrong on purpose in a call. */
export type FaultBehavior = {
  /** Changes the decision of the bank, which then asks nobody. */
  changeDecision?: (honest: BankDecision) => BankDecision;
  /** Carries out the effect, but from then on answers the key with 500. */
  storesServerError?: boolean;
};

/** `delayMs`: how long a debit is on its way; null for what is charged at once. */
type Source = Pick<queries.AskingCardRow, 'declineCode' | 'asks' | 'isSetUp'> & { delayMs: bigint | null };

/** Charges a payment, sends a debit on its way, or asks the holder. Refuses a source that is unknown or detached. */
export function charge(
  database: DatabaseSync,
  payment: queries.PaymentRow,
  session: Session,
  behavior: FaultBehavior,
): void {
  const source = requireSource(database, payment);
  const decision = decisionOf(source, payment);
  if (behavior.changeDecision !== undefined) decide(database, payment, behavior.changeDecision(decision));
  else if (asksHolder(source, session)) queries.updatePaymentStatus(database, payment.id, 'requires_action', null);
  else if (source.delayMs !== null) beginDebit(database, payment, source.delayMs);
  else decide(database, payment, decision);
}

function beginDebit(database: DatabaseSync, { id, currency }: queries.PaymentRow, delayMs: bigint): void {
  if (currency !== 'EUR') throw new LedgerRefusal(422, 'currency_not_supported');
  queries.updateEndsAt(database, id, new Date(Date.now() + Number(delayMs)).toISOString());
}

/** Ends the debits whose time has come: the bank settles them, or declines. */
export function endDueDebits(database: DatabaseSync): void {
  const now = new Date().toISOString();
  if (!debits.hasDueDebits(database, now)) return;
  queries.inTransaction(database, () => {
    for (const id of debits.takeDueDebits(database, now)) {
      const payment = queries.selectPayment(database, id);
      const account = payment && selectDebit(database, payment.sourceToken);
      if (payment === undefined || account === undefined) continue;
      decide(database, payment, decisionOf(account, payment));
      if (account.declineCode !== null || account.isDisputed === 0n) continue;
      debits.insertDispute(database, { id: newIdentifier('dispute'), payment, createdAt: now });
    }
  });
}

/** `isConfirmed`: the holder has confirmed the charge. Returns false if no payment has this client secret. */
export function confirmAskedPayment(database: DatabaseSync, clientSecret: string, isConfirmed: boolean): boolean {
  const payment = queries.selectPayment(database, clientSecret.split('_secret_')[0] ?? '');
  if (payment === undefined || !isSame(clientSecret, secretOf(database, payment.id))) return false;
  if (payment.status !== 'requires_action') throw new LedgerRefusal(409, 'nothing_to_confirm');
  const refused = { declineCode: 'authentication_failed' };
  decide(database, payment, isConfirmed ? decisionOf(requireSource(database, payment), payment) : refused);
  return true;
}

const ASKS_NOBODY = { asks: null, isSetUp: 0n };

/** Finds the card or the account of a token. */
export function findSource(database: DatabaseSync, token: string): Source | undefined {
  const account = () => {
    const found = selectAccount(database, token);
    return found && { declineCode: found.declineCode, ...ASKS_NOBODY, delayMs: null };
  };
  const card = queries.selectCard(database, token);
  if (card !== undefined) return { ...card, delayMs: null };
  const debit = selectDebit(database, token);
  if (debit === undefined) return account();
  const { declineCode, delayMs, isDetached } = debit;
  return isDetached === 1n ? undefined : { declineCode, ...ASKS_NOBODY, delayMs };
}

/** The payment as the gateway answers it, but for the client secret. */
export function describePayment(database: DatabaseSync, payment: queries.PaymentRow): PaymentOnTheWire {
  const { id, status, declineCode } = payment;
  const nothing = { capturedAmountMinor: null, capturedCurrency: null };
  if (status === 'declined') return { id, status, ...nothing, declineCode: declineCode ?? 'generic_decline' };
  if (status !== 'captured') return { id, status, ...nothing, declineCode: null };

  const capture = queries.selectCapture(database, id);
  if (!capture) throw new Error('A captured payment has no capture in the ledger.');
  const amount = capture.amountMinor.toString();
  return { id, status, capturedAmountMinor: amount, capturedCurrency: capture.currency, declineCode: null };
}

/** Adds the client secret to a payment that waits for its holder. */
export function withSecret(database: DatabaseSync, payment: PaymentOnTheWire): PaymentOnTheWire {
  return payment.status === 'requires_action' ? { ...payment, clientSecret: secretOf(database, payment.id) } : payment;
}

/** Makes an id or a token of random characters. */
export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url')}`;
}

function requireSource(database: DatabaseSync, { sourceToken }: queries.PaymentRow): Source {
  const source = findSource(database, sourceToken);
  if (!source) throw new LedgerRefusal(422, 'source_token_unknown');
  return source;
}

function asksHolder({ asks, isSetUp }: Source, session: Session): boolean {
  if (asks === null || asks === 'always' || session === 'on') return asks !== null;
  return asks === 'unless_set_up' && isSetUp === 0n;
}

function decisionOf(
  { declineCode }: Pick<Source, 'declineCode'>,
  { amountMinor, currency }: queries.PaymentRow,
): BankDecision {
  return declineCode === null ? { amountMinor, currency } : { declineCode };
}

function decide(database: DatabaseSync, { id }: queries.PaymentRow, decision: BankDecision): void {
  if ('declineCode' in decision) {
    queries.updatePaymentStatus(database, id, 'declined', decision.declineCode);
    return;
  }
  queries.insertCapture(database, { ...decision, id: newIdentifier('capture'), paymentId: id });
  queries.updatePaymentStatus(database, id, 'captured', null);
}

/** It follows from the id, so the ledger does not keep it. */
function secretOf(database: DatabaseSync, id: string): string {
  const digest = createHmac('sha256', selectFingerprintKey(database)).update(`payment ${id}`).digest('base64url');
  return `${id}_secret_${digest}`;
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
