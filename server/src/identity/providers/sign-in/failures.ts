/** Why a sign-in fails, as the page of the login is told. */
export type FailureCode =
  | 'sso_failed'
  | 'access_denied'
  | 'provider_unavailable'
  | 'email_not_verified'
  | 'email_domain_not_allowed'
  | 'no_account'
  | 'account_linked'
  | 'consent_required'
  | 'wrong_account'
  | 'has_company';

/** A sign-in that fails. The message is for the log alone, and has neither a token nor personal data. */
export class SignInFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignInFailure';
    this.code = code;
  }
}

/** The failure that an error of a conversation means. Its message has nothing of what the provider was asked or has answered. */
export function asFailure(error: unknown): SignInFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SignInFailure) return cause;
  const { message, name, code = name, error: answered } = error as Error & { code?: string; error?: string };
  const said = typeof answered === 'string' && /^\w{1,40}$/.test(answered) ? ` (${answered})` : '';
  return new SignInFailure(codeOf(answered), `${message}: ${code}${said}`, { cause: error });
}

/** For an error that the provider has answered by the rules (RFC 6749, 4.1.2.1), or any other. */
function codeOf(answered: string | undefined): FailureCode {
  if (answered === 'access_denied') return 'access_denied';
  return answered === 'temporarily_unavailable' ? 'provider_unavailable' : 'sso_failed';
}
