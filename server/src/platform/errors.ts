/** The problem with one field of a request. */
export type ErrorDetail = { field: string; message: string };

/**
 * Every error with its status and meaning. Its name is the code that is answered, unless that code has another status too: then the code
 * stands third. The API reference shows this table.
 */
export const ERROR_CODES = {
  invalid_request: [400, 'The request is malformed, or a field breaks a rule that `details` names.'],
  invalid_token: [400, 'The token of the link was used, has expired, or was replaced by a newer one.'],
  raw_card_numbers_off: [400, 'This installation takes no card numbers: `RAW_CARD_NUMBERS=off`.'],
  invalid_passkey: [
    400,
    'The challenge of the passkey has expired or was used before, or the passkey is for another service.',
  ],
  unauthenticated: [401, 'The request has no access token, or one that is malformed, expired or revoked.'],
  invalid_credentials: [401, 'The e-mail or the password is wrong.'],
  reauthentication_required: [
    401,
    'The account has no password, and the session is older than ten minutes. Log in again, then repeat the request.',
  ],
  invalid_code: [401, 'The code, recovery code or passkey is wrong, was used before, or has expired.'],
  invalid_second_factor_token: [
    401,
    'The token of the second step of the login is unknown, has expired or was used. Log in again.',
    'invalid_token',
  ],
  session_revoked: [
    401,
    'The refresh token is unknown or was used before, or its session has ended. The user has to log in again.',
  ],
  authentication_required: [
    402,
    'The bank asks the customer to confirm the payment. `paymentId` names it, and `nextAction` says what confirms it.',
  ],
  card_declined: [402, 'The bank or PayPal declined the charge. `declineCode` says why.'],
  payment_method_required: [
    402,
    'The company has no payment method to charge: it has no default card, and not exactly one card. An invoice of the ' +
      'method `paypal` needs a PayPal account.',
  ],
  origin_not_allowed: [
    403,
    'Only pages of the service itself can send a session cookie: `Origin` must be the origin of `PUBLIC_URL`.',
  ],
  return_origin_not_allowed: [
    400,
    '`returnUrl` does not begin with one of the origins of `PUT /operator/integration`.',
    'origin_not_allowed',
  ],
  session_code_invalid: [
    401,
    'The code of the link was used before or has expired, or the session that it belongs to has ended.',
  ],
  address_not_allowed: [403, 'The API key cannot be used from this IP address.'],
  forbidden: [403, 'The caller lacks the permission for this operation.'],
  permission_not_held: [
    403,
    'The caller, or the person who sent the invitation, lacks a permission that the request would give, change or take ' +
      'away.',
  ],
  email_not_verified: [
    403,
    'This installation requires verified e-mail addresses, and the user has not verified theirs. The company can be read, ' +
      'but not changed.',
  ],
  company_disabled: [403, 'The operator has disabled the company. It can be read, but not changed.'],
  disabled_company: [
    409,
    'The operator has disabled the company, so no session can be opened for it.',
    'company_disabled',
  ],
  second_factor_required: [403, 'The user needs a second factor and has none. Set up TOTP or a passkey first.'],
  sso_required: [403, 'The members of the company can sign in only through its provider of single sign-on.'],
  wrong_account: [403, 'The invitation is for another e-mail address than that of the account.'],
  not_found: [404, 'The object does not exist, or it belongs to another company.'],
  method_not_allowed: [405, 'The path exists, but not with this method. `Allow` lists its methods.'],
  email_taken: [409, 'An account with this e-mail already exists.'],
  mail_expired: [409, 'The content of the mail was deleted, because it is older than 30 days: it can’t be sent again.'],
  mail_not_about_money: [409, 'Only mails about money can be sent again.'],
  already_invited: [409, 'There is already an open invitation to this e-mail.'],
  already_member: [409, 'A member of the company already has this e-mail.'],
  no_sign_in_provider: [409, 'The company has no provider for single sign-on.'],
  provider_of_environment: [
    409,
    'Environment variables define the sign-in provider, so it cannot be changed through the API.',
  ],
  has_company: [409, 'The account already belongs to a company.'],
  role_name_taken: [409, 'The company already has a role with this name, or it is the name of a system role.'],
  role_in_use: [409, 'Members or open invitations have the role, or a sign-in provider gives it to new members.'],
  system_role: [409, 'System roles cannot be changed or deleted.'],
  last_admin: [
    409,
    'The company would lose its last member who has both `platform.admins.all` and `platform.roles.all`.',
  ],
  totp_enabled: [409, 'TOTP is already on.'],
  passkey_exists: [409, 'The passkey is already registered.'],
  last_second_factor: [409, 'The user needs a second factor, and this is the last one.', 'second_factor_required'],
  last_link: [409, 'The user has no other way to log in than this link to a provider.'],
  label_name_taken: [409, 'The company already has a label with this name.'],
  reference_taken: [409, 'The company has already used this reference for a different invoice, credit note or item.'],
  card_setups_not_configured: [
    409,
    'The gateway has no fields for cards, or STRIPE_PUBLISHABLE_KEY is not set, so cards cannot be saved with a setup.',
  ],
  setup_not_confirmed: [409, 'The setup is not confirmed at the gateway, or has expired.'],
  setup_used: [409, 'The card of this setup, or of this id of the gateway, was saved before.'],
  nothing_to_confirm: [409, 'The setup does not wait for a card, or the setup or payment for a confirmation.'],
  paypal_not_available: [409, 'This installation has no gateway for PayPal accounts.'],
  currency_in_use: [
    409,
    'The currency cannot change while the company has credit, an unfinished payment that used credit, or items that are not invoiced yet.',
  ],
  seller_required: [
    409,
    'With a gateway other than the sandbox, the operator must set the seller (PUT /operator/seller) before the first invoice.',
  ],
  external_id_taken: [409, 'Another company already has this external id.'],
  usage_waiting: [
    409,
    'Usage that came before the company had its external id is still being moved to it. Try again after `Retry-After`.',
  ],
  number_prefix_taken: [409, 'Another company already uses this number prefix.'],
  insufficient_credit: [409, 'The company does not have enough credit.'],
  payment_in_progress: [409, 'Another payment of this invoice is in progress. Try again after `Retry-After`.'],
  payment_under_review: [409, 'A payment of this invoice is under review: the operator has to decide about it.'],
  awaiting_release: [409, 'The database was restored, so the invoice is not charged before the operator releases it.'],
  item_invoiced: [409, 'The item is already on an invoice.'],
  invoice_voided: [409, 'The invoice is void. It can neither be paid nor credited.'],
  invoice_paid: [409, 'The invoice is paid. Issue a credit note instead of voiding it.'],
  invoice_credited: [409, 'The invoice has credit notes and cannot be voided. Credit the rest instead.'],
  invoice_not_computed: [
    409,
    'The invoice was not issued by a billing run, so it has no usage to compute it from again.',
  ],
  credit_exceeds_invoice: [409, 'The credit notes would exceed the total of the invoice.'],
  gateway_differs: [
    409,
    'A gateway does not know a payment that the database has as captured there. The gateway may be configured with another ' +
      'account or mode, or with another file of the sandbox.',
  ],
  not_under_review: [409, 'The payment or refund is not under review.'],
  outcome_contradicted: [
    409,
    'The gateway reports another outcome than the request. Look at the payment or refund at the gateway again.',
  ],
  payment_not_captured: [409, 'The payment captured nothing that can be refunded.'],
  invoice_unpaid: [409, 'The payment paid a part of its invoice. It can be refunded once the invoice is paid.'],
  refund_exceeds_payment: [409, 'The refunds would exceed the amount of the payment.'],
  payment_disputed: [409, 'A dispute has withdrawn the money of this payment, so it cannot be refunded.'],
  dispute_not_recorded: [
    409,
    'The dispute does not match its payment and was not recorded. The operator has to review it.',
  ],
  refund_not_recorded: [
    409,
    'A refund at the gateway does not match its payment and was not recorded. The operator has to review it.',
  ],
  refund_refused: [
    409,
    'The gateway refused the refund. No money was returned, and the credited amount is still owed to the company.',
  ],
  refund_under_review: [409, 'The outcome of the refund is unknown. The operator has to review it.'],
  credit_currency_differs: [
    409,
    'The company is now billed in another currency, so credit that it paid with cannot be returned to it.',
  ],
  price_superseded: [409, 'The price has a newer version. A version can only be added after the newest one.'],
  period_billed: [409, 'The period is already billed, and billed usage never changes.'],
  price_ended: [409, 'The price already has an end.'],
  price_in_force: [
    409,
    'The price applied to usage that is already billed and cannot be deleted. End the price, or add its next version.',
  ],
  period_not_over: [409, "The month has not ended yet in any company's time zone."],
  job_running: [409, 'The job is running.'],
  webhook_endpoint_disabled: [409, 'The webhook endpoint is disabled. Enable it first.'],
  journal_missing: [409, 'A journal of the database was neither read nor declared lost.'],
  recovery_running: [409, 'Another request is working on the recovery of the database. Try again after `Retry-After`.'],
  idempotency_key_in_use: [409, 'The first request with this idempotency key is still running.'],
  first_key: [409, 'The key of `OPERATOR_KEY` or the data directory cannot be deleted. A restart can replace it.'],
  limit_reached: [409, 'The company, the user or the operator has reached the maximum number of these objects.'],
  payload_too_large: [
    413,
    "The body is too large. The limit is 1 MiB, 256 KiB for a gateway's webhook, and 4 MiB for lines of a journal.",
  ],
  unsupported_media_type: [415, 'The body is not `application/json` in UTF-8, or it is compressed.'],
  idempotency_key_reused: [422, 'This idempotency key was already used with a different request.'],
  rate_limited: [429, 'Too many requests, or too many failed logins. Try again after `Retry-After`.'],
  card_testing_suspected: [
    429,
    'The bank refused too many charges of the invoice, the company, the IP address or the card within an hour. Try again ' +
      'after `Retry-After`.',
  ],
  request_timeout: [408, 'The request took too long to arrive.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB.'],
  internal_error: [500, 'An error on our side. Nothing was lost. Quote the request id.'],
  charges_held: [
    503,
    'Charges, refunds, billing runs, invoices, items, credit notes and voids are on hold. Nothing was done. Send the ' +
      'request again after the seconds of `Retry-After`.',
  ],
  service_unavailable: [
    503,
    'The database or the gateway cannot be reached, or the service is overloaded. Try again later.',
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string, code?: string]>;

/** The names of errors. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The code that an error is answered with. */
export function answeredCode(name: ErrorCode): ErrorCode {
  const error: readonly [status: number, meaning: string, code?: ErrorCode] = ERROR_CODES[name];
  return error[2] ?? name;
}

/** A payment that waits for the customer's confirmation, and what confirms it. */
type WaitingPayment = { paymentId: string; nextAction: object };

type ErrorOptions = {
  details?: ErrorDetail[];
  /** The bank's decline code, with `card_declined`. */
  declineCode?: string;
  /** The payment that waits for the customer, with `authentication_required`. */
  waiting?: WaitingPayment;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The internal cause; logged, never answered. */
  cause?: unknown;
};

/**
 * The only error that handlers throw; any other becomes a plain 500. The message is for people and contains no data.
 */
export class ApiError extends Error {
  /** The code that is answered. */
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly declineCode: string | undefined;
  readonly waiting: WaitingPayment | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(name: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = answeredCode(name);
    this.status = ERROR_CODES[name][0];
    this.details = options.details ?? [];
    this.declineCode = options.declineCode;
    this.waiting = options.waiting;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Whether the error is an ApiError of this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code;
}

/** A 400 that names one invalid field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('invalid_request', `${field} ${message}.`, { details: [{ field, message }] });
}

/** A 404, the same for an object that never existed and for another company's. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`);
}

/** A row that existed a moment ago is gone: the database was restored, or failed over, during a request. */
export function missingRow(what: string): ApiError {
  const message = `The ${what} is no longer in the database, which was restored or failed over. Send the request again.`;
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 5 });
}
