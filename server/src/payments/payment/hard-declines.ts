import { GATEWAYS } from '../../gateways/gateways.ts';

/**
 * The reasons for which a bank will never pay with this card. The card networks forbid another try and fine for it: Visa's decline
 * category 1, "issuer will never approve" (response codes 04, 07, 12, 14, 15, 41, 43, 46, 57, R0, R1, R3 of its rules for declined
 * transactions), and Mastercard's merchant advice codes 03 (do not try again) and 21 (the cardholder stopped the payment). The names are
 * Stripe's (https://docs.stripe.com/declines/codes); all adapters use them. The list includes those that Stripe never
 * retries (https://docs.stripe.com/billing/revenue-recovery/smart-retries). It leaves out `do_not_honor` and `generic_decline`, which
 * give no reason, so that the bank may pay another day, and an expired card, which the bank may have renewed.
 */
const HARD_DECLINES: ReadonlySet<string> = new Set([
  'do_not_try_again',
  'stop_payment_order',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
  'transaction_not_allowed',
  // The cardholder has to be present, which a scheduled charge cannot achieve.
  'authentication_required',
  // The gateway's own assessment of fraud, which does not change.
  'highest_risk_level',
  // Paydesk's: the gateway does not accept the card or account at all.
  'rejected_by_gateway',
  ...GATEWAYS.flatMap(({ hardDeclines }) => hardDeclines),
]);

/** Whether the collection must never try the same card or account again. */
export function isHardDecline(declineCode: string | null): boolean {
  return declineCode !== null && HARD_DECLINES.has(declineCode);
}
