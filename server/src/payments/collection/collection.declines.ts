/**
 * Reasons for which a bank will never pay with this card. The card networks forbid to try again, and fine who does: Visa's decline
 * category 1, "issuer will never approve" (response codes 04, 07, 12, 14, 15, 41, 43, 46, 57, R0, R1, R3 of its rules for declined
 * transactions), and Mastercard's merchant advice codes 03 (do not try again) and 21 (the cardholder stopped the payment). The names are
 * Stripe's (https://docs.stripe.com/declines/codes), which the sandbox and our adapters use; those that Stripe never retries itself
 * (https://docs.stripe.com/billing/revenue-recovery/smart-retries) are among them. A bank that only says `do_not_honor` or
 * `generic_decline` gives no reason, and may pay another day; an expired card may have been prolonged at the bank.
 */
const NEVER_AGAIN: ReadonlySet<string> = new Set([
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
  // The cardholder has to be present, and no schedule brings them.
  'authentication_required',
  // The gateway's own assessment of fraud, which stays.
  'highest_risk_level',
  // PayPal's, in small letters (https://developer.paypal.com/api/rest/reference/orders/v2/errors): the account is closed, or its holder
  // has taken back the agreement to charge it.
  'payer_account_locked_or_closed',
  'agreement_already_cancelled',
  'billing_agreement_not_found',
  // Ours: the gateway does not take the card, or the account, at all.
  'rejected_by_gateway',
]);

/** Whether the same card or account is never to be tried again by itself. */
export function isHardDecline(declineCode: string | null): boolean {
  return declineCode !== null && NEVER_AGAIN.has(declineCode);
}
