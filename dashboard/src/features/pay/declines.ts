/** What a person is told of a decline: the reason, and what helps. */
export type Decline = { reason: DeclineReason; next: NextStep };

export type DeclineReason =
  | 'refused'
  | 'funds'
  | 'expired'
  | 'lost'
  | 'stolen'
  | 'processing'
  | 'details'
  | 'confirm'
  | 'notConfirmed'
  | 'confirmedLate'
  | 'limit'
  | 'notSupported'
  | 'closed'
  | 'notAllowed'
  | 'gateway';
export type NextStep = 'otherCard' | 'askBank' | 'later' | 'checkCard' | 'confirmAgain';

/** By the decline codes, whose names are Stripe's (https://docs.stripe.com/declines/codes). */
const DECLINES: Record<string, Decline> = {
  insufficient_funds: { reason: 'funds', next: 'otherCard' },
  withdrawal_count_limit_exceeded: { reason: 'limit', next: 'otherCard' },
  card_velocity_exceeded: { reason: 'limit', next: 'otherCard' },
  transaction_limit_exceeded: { reason: 'limit', next: 'otherCard' },
  max_number_of_payment_attempts_exceeded: { reason: 'limit', next: 'otherCard' },
  expired_card: { reason: 'expired', next: 'checkCard' },
  lost_card: { reason: 'lost', next: 'otherCard' },
  stolen_card: { reason: 'stolen', next: 'otherCard' },
  pickup_card: { reason: 'notAllowed', next: 'otherCard' },
  processing_error: { reason: 'processing', next: 'later' },
  issuer_not_available: { reason: 'processing', next: 'later' },
  try_again_later: { reason: 'processing', next: 'later' },
  reenter_transaction: { reason: 'processing', next: 'later' },
  incorrect_number: { reason: 'details', next: 'otherCard' },
  invalid_number: { reason: 'details', next: 'otherCard' },
  incorrect_cvc: { reason: 'details', next: 'otherCard' },
  invalid_cvc: { reason: 'details', next: 'otherCard' },
  incorrect_zip: { reason: 'details', next: 'otherCard' },
  invalid_expiry_month: { reason: 'expired', next: 'checkCard' },
  invalid_expiry_year: { reason: 'expired', next: 'checkCard' },
  authentication_required: { reason: 'confirm', next: 'confirmAgain' },
  authentication_failed: { reason: 'notConfirmed', next: 'confirmAgain' },
  authentication_expired: { reason: 'confirmedLate', next: 'confirmAgain' },
  payer_cannot_pay: { reason: 'refused', next: 'otherCard' },
  card_not_supported: { reason: 'notSupported', next: 'otherCard' },
  currency_not_supported: { reason: 'notSupported', next: 'otherCard' },
  invalid_account: { reason: 'closed', next: 'otherCard' },
  payer_account_locked_or_closed: { reason: 'closed', next: 'otherCard' },
  payer_account_restricted: { reason: 'closed', next: 'otherCard' },
  do_not_try_again: { reason: 'notAllowed', next: 'otherCard' },
  stop_payment_order: { reason: 'notAllowed', next: 'askBank' },
  revocation_of_authorization: { reason: 'notAllowed', next: 'otherCard' },
  revocation_of_all_authorizations: { reason: 'notAllowed', next: 'otherCard' },
  transaction_not_allowed: { reason: 'notAllowed', next: 'askBank' },
  not_permitted: { reason: 'notAllowed', next: 'askBank' },
  restricted_card: { reason: 'notAllowed', next: 'askBank' },
  rejected_by_gateway: { reason: 'gateway', next: 'otherCard' },
};

/** A code without words of its own is a refusal without a reason, as banks give most often. */
export function declineOf(code: string): Decline {
  return DECLINES[code] ?? { reason: 'refused', next: 'askBank' };
}
