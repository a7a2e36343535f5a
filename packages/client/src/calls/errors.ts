import type { ErrorCode, ErrorDetail, Payment } from './api.generated.ts';

/** A code of the API, or `unexpected_response` for an answer that is not Paydesk's, such as a proxy's. */
export type PaydeskErrorCode = ErrorCode | 'unexpected_response';

/** What the customer needs to confirm a payment at the bank. */
export type NextAction = NonNullable<Payment['nextAction']>;

type Refusal = {
  code: PaydeskErrorCode;
  message: string;
  status: number;
  details?: ErrorDetail[];
  declineCode?: string | undefined;
  paymentId?: string | undefined;
  nextAction?: NextAction | undefined;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  idempotencyKey?: string | null;
};

/** The service refused a request or could not carry it out. */
export class PaydeskError extends Error {
  override readonly name = 'PaydeskError';
  /** The stable code by which a program distinguishes errors. */
  readonly code: PaydeskErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The fields that break a rule; empty for other errors. */
  readonly details: readonly ErrorDetail[];
  /** The bank's reason, with `card_declined`. */
  readonly declineCode: string | null;
  /** The payment that waits for the customer, with `authentication_required`. */
  readonly paymentId: string | null;
  /** How the customer confirms it, with `authentication_required`. */
  readonly nextAction: NextAction | null;
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
  /** How many seconds the service asks to wait; null if it does not. */
  readonly retryAfterSeconds: number | null;
  /** The key that was sent. The call can be repeated with it later. */
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.details = refusal.details ?? [];
    this.declineCode = refusal.declineCode ?? null;
    this.paymentId = refusal.paymentId ?? null;
    this.nextAction = refusal.nextAction ?? null;
    this.requestId = refusal.requestId ?? null;
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
    this.idempotencyKey = refusal.idempotencyKey ?? null;
  }
}

/**
 * No answer arrived. The request may have been carried out. To find out, repeat the call with the same `idempotencyKey`: nothing is done
 * twice.
 */
export class PaydeskConnectionError extends Error {
  override readonly name = 'PaydeskConnectionError';
  readonly reason: 'network' | 'timeout';
  /** The key that was sent; null if the operation takes none. */
  readonly idempotencyKey: string | null;

  constructor(
    reason: 'network' | 'timeout',
    message: string,
    options: { idempotencyKey: string | null; cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** Whether the error is a `PaydeskError`, with this code if one is given. */
export function isPaydeskError<Code extends PaydeskErrorCode = PaydeskErrorCode>(
  error: unknown,
  code?: Code,
): error is PaydeskError & { readonly code: Code } {
  return error instanceof PaydeskError && (code === undefined || error.code === code);
}

type Answered = { status: number; headers: Headers; text: string };

/** Builds the error for an answer. */
export function readError(
  { status, headers, text }: Answered,
  { retryAfterSeconds, idempotencyKey }: { retryAfterSeconds: number | null; idempotencyKey: string | null },
): PaydeskError {
  const common = { status, retryAfterSeconds, idempotencyKey };
  const requestId = headers.get('x-request-id');
  const error = parseRefusal(text);
  if (error === null) {
    const message = `The service answered ${status} in a way that Paydesk does not. Is the URL right?`;
    return new PaydeskError({ ...common, code: 'unexpected_response', message, requestId });
  }
  return new PaydeskError({ ...common, ...error, requestId: error.requestId ?? requestId });
}

type ErrorFields = {
  code: ErrorCode;
  message: string;
  details: ErrorDetail[];
  declineCode?: string;
  paymentId?: string;
  nextAction?: NextAction;
  requestId?: string;
};

function parseRefusal(text: string): ErrorFields | null {
  try {
    const { error } = JSON.parse(text) as { error?: ErrorFields };
    const isWhole =
      typeof error?.code === 'string' && typeof error.message === 'string' && Array.isArray(error.details);
    return isWhole ? error : null;
  } catch {
    return null;
  }
}
