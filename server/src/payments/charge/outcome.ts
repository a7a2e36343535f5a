import type { Adopted } from '../adopt/lost-captures.ts';
import type { Debt, DebtObjects } from '../debt/debt.ts';
import { isOpen, type Payment } from '../payment/payment.ts';
import type { Settled } from '../settlement/settle-payment.ts';

/** What the gateway is asked for before an object is created, and its answer where the question was sent already. */
export type Question = { debt: Debt; firstDebtAnswer?: Promise<DebtObjects> };

/** The payment waits until the customer has confirmed it. */
export type Waiting = { kind: 'waiting' };

/** Another process has continued the payment. */
export type Continued = { kind: 'continued' };

/** What a process knows of a payment when it has done for it what it can. */
export type ChargeOutcome =
  /** It has ended, or is under review. */
  | ({ kind: 'settled' } & Settled)
  | Adopted
  | Continued
  | Waiting
  /** The gateway has no outcome yet, or gave no answer. */
  | { kind: 'unknown' };

/**
 * The outcome of a payment that was just written.
 * @param ifOpen - what it is when the payment stayed open
 * @param invoice - as in `Settled`
 */
export function outcomeOf(
  payment: Payment,
  ifOpen: 'continued' | 'unknown',
  invoice: Settled['invoice'] = null,
): ChargeOutcome {
  return isOpen(payment) ? { kind: ifOpen } : { kind: 'settled', payment, invoice };
}
