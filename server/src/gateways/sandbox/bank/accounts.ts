/** Decides by the setup token whether charges of its account succeed, and by the IBAN how direct debits end. */
import type { DebitRow } from './accounts.queries.ts';

/** Test tokens whose accounts are declined, also with a number at the end: `sandbox-setup-declined-2`. Any other account is charged. */
const declineCodes: ReadonlyMap<string, string> = new Map([
  ['sandbox-setup-declined', 'instrument_declined'],
  ['sandbox-setup-closed', 'payer_account_locked_or_closed'],
]);

/** Returns the decline code for charges of the account, or null if they succeed. */
export function declineCodeOfSetupToken(setupToken: string): string | null {
  return declineCodes.get(setupToken.replace(/-\d+$/, '')) ?? null;
}

/** A bank needs days; the sandbox is as quick as Stripe is with its test accounts. */
const SECONDS = 2_000n;
const MINUTES = 180_000n;
type Ending = Omit<DebitRow, 'token'>;
const SETTLES: Ending = { declineCode: null, delayMs: SECONDS, isDisputed: 0n };

/** Stripe's test IBANs (https://docs.stripe.com/testing#sepa-direct-debit). */
const endings: ReadonlyMap<string, Ending> = new Map([
  ['DE62370400440532013001', { ...SETTLES, declineCode: 'insufficient_funds' }],
  ['DE35370400440532013002', { ...SETTLES, isDisputed: 1n }],
  ['DE08370400440532013003', { ...SETTLES, delayMs: MINUTES }],
  ['DE78370400440532013004', { ...SETTLES, delayMs: MINUTES, declineCode: 'insufficient_funds' }],
]);

/** Returns how debits of the IBAN end. Those of one that is not a test IBAN settle within seconds. */
export function endingOfIban(iban: string): Ending {
  return endings.get(iban) ?? SETTLES;
}
