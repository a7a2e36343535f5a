import type { Db, Tx } from '../../../platform/database/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import type { UsedPasskey } from '../../passkeys/passkeys.schema.ts';
import { findUsedPasskey, notePasskeyUse, verifyUse } from '../../passkeys/passkeys.service.ts';
import { type RelyingParty, readChallenge } from '../../passkeys/webauthn.ts';
import { type CodeDependencies, spendRecoveryCode, spendTotpCode } from '../../second-factor/second-factor.service.ts';
import { hashSecret } from '../../secrets/secrets.ts';
import type { SecondFactorBody } from './login.schema.ts';
import { useChallengeOfToken } from './login-tokens.public.queries.ts';

export type FactorDependencies = CodeDependencies & { db: Db; relyingParty: RelyingParty };

/** The one factor that a request shows. */
export type ShownFactor =
  | { kind: 'totp'; code: string }
  | { kind: 'recovery_code'; code: string }
  | { kind: 'passkey'; passkey: UsedPasskey };

const FIELDS = { totp: 'code', recovery_code: 'recovery_code', passkey: 'passkey' };

/** Which factor a body shows. @throws ApiError invalid_request unless it is exactly one */
export function readShownFactor({ code, recovery_code: recoveryCode, passkey }: SecondFactorBody): ShownFactor {
  const shown: ShownFactor[] = [
    ...(code === undefined ? [] : [{ kind: 'totp' as const, code }]),
    ...(recoveryCode === undefined ? [] : [{ kind: 'recovery_code' as const, code: recoveryCode }]),
    ...(passkey === undefined ? [] : [{ kind: 'passkey' as const, passkey }]),
  ];
  const [first, second] = shown;
  if (first === undefined) throw invalidField('code', 'is required, unless recovery_code or passkey is sent');
  if (second !== undefined) throw invalidField(FIELDS[second.kind], 'must not be sent together with another factor');
  return first;
}

/**
 * Does what a factor needs before the transaction that logs the user in: a passkey's challenge is used up, and its signature verified.
 * @returns what uses the factor up, and says whether it was right; null for a passkey that was wrong
 */
export async function prepareFactor(
  dependencies: FactorDependencies,
  { hash, user }: { hash: Buffer; user: { id: string } },
  shown: ShownFactor,
): Promise<{ spend: (tx: Tx) => Promise<boolean> } | null> {
  if (shown.kind === 'totp') return { spend: (tx) => spendTotpCode(tx, dependencies, user.id, shown.code) };
  if (shown.kind === 'recovery_code') return { spend: (tx) => spendRecoveryCode(tx, user.id, shown.code) };
  const { db, relyingParty } = dependencies;
  const challenge = readChallenge(shown.passkey.response.clientDataJSON);
  if (challenge === null) return null;
  if (!(await useChallengeOfToken(db, hash, hashSecret('passkey_second_factor', challenge)))) return null;
  const stored = await findUsedPasskey(db, shown.passkey);
  if (stored === null || stored.userId !== user.id) return null;
  const use = await verifyUse(relyingParty, shown.passkey, challenge, stored);
  return use && { spend: (tx) => notePasskeyUse(tx, use) };
}
