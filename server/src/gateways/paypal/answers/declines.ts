/** Maps PayPal's reasons not to capture an order (https://developer.paypal.com/api/rest/reference/orders/v2/errors/#capture-order). */
import type { PayPalRefusal } from './connection.ts';

/** Our decline codes by PayPal's issue. They are the codes of collection.declines.ts where one of them has the same meaning. */
const DECLINES: ReadonlyMap<string, string> = new Map([
  ['INSTRUMENT_DECLINED', 'generic_decline'],
  ['TRANSACTION_REFUSED', 'generic_decline'],
  ['PAYMENT_DENIED', 'generic_decline'],
  ['PAYER_CANNOT_PAY', 'payer_cannot_pay'],
  ['CARD_EXPIRED', 'expired_card'],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'invalid_account'],
  ['CARD_CLOSED', 'invalid_account'],
  ['PAYER_ACCOUNT_RESTRICTED', 'payer_account_restricted'],
  ['AGREEMENT_ALREADY_CANCELLED', 'revocation_of_authorization'],
  ['BILLING_AGREEMENT_NOT_FOUND', 'revocation_of_authorization'],
  ['TOKEN_ID_NOT_FOUND', 'revocation_of_authorization'],
  ['PAYER_ACTION_REQUIRED', 'authentication_required'],
  ['PAYER_CONSENT_REQUIRED', 'authentication_required'],
  ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'redirect_payer_for_alternate_funding'],
  ['TRANSACTION_LIMIT_EXCEEDED', 'transaction_limit_exceeded'],
  ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'max_number_of_payment_attempts_exceeded'],
  ['COMPLIANCE_VIOLATION', 'transaction_not_allowed'],
  ['PAYER_COUNTRY_NOT_SUPPORTED', 'transaction_not_allowed'],
  ['DOMESTIC_TRANSACTION_REQUIRED', 'transaction_not_allowed'],
  ['TRANSACTION_BLOCKED_BY_PAYEE', 'transaction_not_allowed'],
  ['PAYEE_BLOCKED_TRANSACTION', 'transaction_not_allowed'],
]);

/** Returns the decline code of a refusal; null if PayPal refused for another reason, such as the state of the order. */
export function declineCodeOf({ issues }: PayPalRefusal): string | null {
  for (const issue of issues) {
    const code = DECLINES.get(issue);
    if (code !== undefined) return code;
  }
  return null;
}

/** Returns the decline code of a capture that PayPal first made and then declined. The reason may be missing. */
export function declineCodeOfCapture(reason: string | undefined): string {
  return reason === undefined ? 'generic_decline' : (DECLINES.get(reason) ?? reason.toLowerCase());
}
