import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@paydesk/client';

/** The person has closed the browser's dialog, or the device can't answer. */
export class AuthenticatorError extends Error {
  override readonly name = 'AuthenticatorError';
}

/** Asks for a passkey of this service. @throws AuthenticatorError */
export async function askAuthenticator(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return startAuthentication({ optionsJSON: options as Options }).catch(refuse);
}

/** Has a device make a passkey. @throws AuthenticatorError */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  return startRegistration({ optionsJSON: options as unknown as Options }).catch(refuse);
}

function refuse(cause: unknown): never {
  throw new AuthenticatorError('The authenticator did not answer.', { cause });
}
