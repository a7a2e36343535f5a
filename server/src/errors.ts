/** What is wrong with one field of a request. */
export type ErrorDetail = { field: string; message: string };

/** Every code that an answer may carry, with its status and its meaning. The API reference lists this table. */
export const ERROR_CODES = {
  invalid_request: [400, 'The request is malformed or a field breaks a rule; `details` says which.'],
  unauthenticated: [401, 'No access token, or one that is malformed, expired or revoked.'],
  invalid_credentials: [401, 'The e-mail or the password is wrong.'],
  card_declined: [402, 'The bank, or PayPal, refused the charge; `declineCode` says why.'],
  payment_method_required: [
    402,
    'There is nothing to charge: no default card and no only one, or for `paypal` no such account.',
  ],
  forbidden: [403, 'The caller is known, but lacks the permission.'],
  not_found: [404, 'There is no such thing, or it belongs to another company.'],
  method_not_allowed: [405, 'The path exists, but not with this method; `Allow` lists the methods.'],
  email_taken: [409, 'An account with this e-mail exists.'],
  label_name_taken: [409, 'The company has a label of this name.'],
  reference_taken: [409, 'The company has something else under this reference: an invoice, a credit note or an item.'],
  paypal_not_available: [409, 'No gateway for PayPal accounts is configured here.'],
  currency_in_use: [
    409,
    'The company has credit in its currency, a payment that may give some back, or items that wait for an invoice.',
  ],
  seller_required: [409, 'With a real gateway no invoice is issued before the operator has said who the seller is.'],
  number_prefix_taken: [409, 'Another company has this prefix of numbers.'],
  insufficient_credit: [409, 'The company has less credit than is to be taken from it.'],
  payment_in_progress: [409, 'Another payment of this invoice has not ended yet; try again after `Retry-After`.'],
  payment_under_review: [409, 'The gateway and our books disagree about this invoice; the operator has to look.'],
  item_invoiced: [409, 'The item is on an invoice, and stays there.'],
  invoice_voided: [409, 'The invoice is void: it can neither be paid nor credited.'],
  invoice_paid: [409, 'The invoice is paid: it can be credited, but not voided.'],
  invoice_credited: [409, 'The invoice has credit notes: the rest can be credited, but it can not be voided.'],
  invoice_not_computed: [409, 'The operator wrote the invoice: there is no usage that it could be computed from anew.'],
  credit_exceeds_invoice: [409, 'The credit notes of the invoice would come to more than its total.'],
  not_under_review: [409, 'It is not, or no longer, for a person to say what became of it.'],
  outcome_contradicted: [409, 'The gateway says otherwise: look there once more.'],
  payment_not_captured: [409, 'The payment took nothing that could be given back.'],
  refund_exceeds_payment: [409, 'The refunds of the payment would come to more than it took.'],
  payment_disputed: [409, 'A dispute has taken the money of the payment: it can not be given back a second time.'],
  dispute_not_recorded: [409, 'The dispute does not fit its payment, and is in no books; the operator has to look.'],
  refund_not_recorded: [
    409,
    'A refund at the gateway does not fit its payment, and is in no books; the operator has to look.',
  ],
  refund_refused: [409, 'The gateway refused the refund: nothing was given back, and what is credited is still due.'],
  refund_under_review: [409, 'What became of the refund is not known; the operator has to look.'],
  credit_currency_differs: [
    409,
    'The company is billed in another currency now: what it paid with credit can not become credit again.',
  ],
  price_superseded: [409, 'The price has a newer version, and nothing before that can be set any more.'],
  period_billed: [409, 'The time is billed already, and what was billed never changes.'],
  price_ended: [409, 'The price has an end already.'],
  price_in_force: [409, 'The price was in force in billed time and stays; end it, or set its next version.'],
  period_not_over: [409, 'The month is not over yet for any company, in its time zone.'],
  job_not_failed: [409, 'The job has not failed: there is nothing to try again.'],
  webhook_endpoint_disabled: [409, 'The webhook endpoint is disabled: enable it first.'],
  idempotency_key_in_use: [409, 'A request with this idempotency key is still running.'],
  limit_reached: [409, 'The company holds as many of these as it may.'],
  payload_too_large: [413, "The body is larger than 1 MiB, or than 256 KiB on a gateway's webhook."],
  unsupported_media_type: [415, 'The body is not `application/json` in UTF-8, or it is compressed.'],
  idempotency_key_reused: [422, 'This idempotency key came with another request before.'],
  rate_limited: [429, 'Too many requests, or too many failed logins; try again after `Retry-After`.'],
  card_testing_suspected: [
    429,
    'The bank refused too many charges of the invoice, the company, the address or the card within an hour; try again after `Retry-After`.',
  ],
  request_timeout: [408, 'The request took too long to arrive.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB.'],
  internal_error: [500, 'A fault of ours. Nothing was lost; quote the request id.'],
  charges_held: [
    503,
    'The operator holds charges, refunds, billing runs, items, credit notes and voids; nothing was done. Try again later.',
  ],
  service_unavailable: [
    503,
    'The database or the gateway is out of reach, or the service is overloaded. Try again later.',
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;

type ErrorOptions = {
  details?: ErrorDetail[];
  /** The bank's reason, with `card_declined`. */
  declineCode?: string;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** What went wrong inside; logged, never answered. */
  cause?: unknown;
};

/** The one error that handlers throw; everything else becomes a plain 500. The message is for people and carries no data. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly declineCode: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERROR_CODES[code][0];
    this.details = options.details ?? [];
    this.declineCode = options.declineCode;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A 400 that names the one field that breaks a rule. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('invalid_request', `${field} ${message}.`, { details: [{ field, message }] });
}

/** A 404 that reads the same whether the thing never existed or is another company's. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`);
}

/** What was here a moment ago is not any more: the database was restored, or failed over, under a request. */
export function vanished(what: string): ApiError {
  const message = `The ${what} is not in the database any more, which went back in time; ask again.`;
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 5 });
}
