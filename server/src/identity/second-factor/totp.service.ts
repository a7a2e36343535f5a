import type { FastifyRequest } from 'fastify';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import { findCaller } from '../checks/attempts.public.queries.ts';
import { describeClient } from '../checks/client.ts';
import { confirmPassword } from '../checks/confirmation.ts';
import { checkSecret } from '../checks/secret-check.ts';
import { toBase32 } from '../secrets/base32.ts';
import { createSecret } from '../secrets/secrets.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { deleteTotpSecret, type FactorOwner, replaceUnconfirmedSecret } from './second-factor.public.queries.ts';
import {
  type CodeDependencies,
  giveFirstRecoveryCodes,
  giveUpFactor,
  invalidCode,
  lockOwner,
  noteFactorChange,
  recordFactorChange,
  replaceCodes,
  spendAnyCode,
  spendTotpCode,
  totpContext,
} from './second-factor.service.ts';
import { TOTP_SECRET_BYTES, totpUri } from './totp.ts';

export type SecondFactorDependencies = CodeDependencies & {
  db: Db;
  mail: MailDependencies;
  forgetUser: TokenAuthentication['forgetUser'];
};

/** The request of a user. */
export type Caller = { user: UserPrincipal; request: FastifyRequest };

/** What an authenticator app shows as the service that a code is for. */
const ISSUER = 'Paydesk';

/**
 * Makes a secret for an authenticator app. It counts once `confirmTotp` has got a code of it.
 * @returns the secret in base32, as the URI that apps read, and as an SVG data URL of its QR code
 * @throws ApiError totp_enabled; as `confirmPassword`
 */
export async function beginTotp(
  { db, keyring }: SecondFactorDependencies,
  caller: Caller,
  password: string | undefined,
): Promise<{ secret: string; uri: string; qr: string }> {
  const { id, email } = await confirmPassword({ db, keyring }, caller, password);
  const bytes = createSecret(TOTP_SECRET_BYTES);
  await transaction(db, async (tx) => {
    refuseSecondTotp(await lockOwner(tx, caller.user));
    await replaceUnconfirmedSecret(tx, id, keyring.seal(bytes.toString('base64url'), totpContext(id)));
  });
  const secret = toBase32(bytes);
  const uri = totpUri(secret, { issuer: ISSUER, account: email });
  return { secret, uri, qr: await drawQrCode(uri) };
}

/** Turns TOTP on. @returns recovery codes with the user's first second factor, else null @throws ApiError invalid_code, totp_enabled */
export async function confirmTotp(
  dependencies: SecondFactorDependencies,
  caller: Caller,
  code: string,
): Promise<string[] | null> {
  const { recoveryCodes } = await withCode(dependencies, caller, async (tx, owner) => {
    refuseSecondTotp(owner);
    if (!(await spendTotpCode(tx, dependencies, owner.id, code, { isConfirmed: false }))) return null;
    await recordFactorChange(tx, owner, actorOf(caller.request), 'totp.enabled');
    const first = await giveFirstRecoveryCodes(tx, owner);
    await noteFactorChange(tx, owner, { type: 'totp_enabled', withRecoveryCodes: first !== null }, dependencies.mail);
    return { recoveryCodes: first };
  });
  dependencies.forgetUser(caller.user.userId);
  return recoveryCodes;
}

/** Turns TOTP off. @throws ApiError invalid_code; second_factor_required when it is the last one demanded; as `confirmPassword` */
export async function disableTotp(
  dependencies: SecondFactorDependencies,
  caller: Caller,
  { password, code }: { password?: string; code: string },
): Promise<void> {
  await confirmPassword(dependencies, caller, password);
  await withCode(dependencies, caller, async (tx, owner) => {
    if (!owner.hasTotp || !(await spendAnyCode(tx, dependencies, owner.id, code))) return null;
    const withRecoveryCodes = await giveUpFactor(tx, owner);
    await deleteTotpSecret(tx, owner.id);
    await recordFactorChange(tx, owner, actorOf(caller.request), 'totp.disabled');
    await noteFactorChange(tx, owner, { type: 'totp_disabled', withRecoveryCodes }, dependencies.mail);
    return owner;
  });
  dependencies.forgetUser(caller.user.userId);
}

/** Replaces all recovery codes of the user. @returns ten new ones @throws ApiError invalid_code */
export async function renewRecoveryCodes(
  dependencies: SecondFactorDependencies,
  caller: Caller,
  code: string,
): Promise<string[]> {
  return withCode(dependencies, caller, async (tx, owner) => {
    if (!(await spendAnyCode(tx, dependencies, owner.id, code))) return null;
    await recordFactorChange(tx, owner, actorOf(caller.request), 'recovery_codes.replaced');
    await noteFactorChange(tx, owner, { type: 'recovery_codes_replaced' }, dependencies.mail);
    return replaceCodes(tx, owner.id);
  });
}

/**
 * Runs work that uses up a code. Where it returns null, the code was wrong, which counts as a failed login.
 * @throws ApiError invalid_code; rate_limited after too many failures
 */
async function withCode<T>(
  { db, keyring }: SecondFactorDependencies,
  { user, request }: Caller,
  work: (tx: Tx, owner: FactorOwner) => Promise<T | null>,
): Promise<T> {
  const found = await findCaller(db, user.userId, user.sessionId);
  if (found === null) throw new ApiError('unauthenticated', 'The session has ended.');
  const client = describeClient(keyring, request, found.email);
  const done = await checkSecret({ db, keyring }, found, client, () =>
    transaction(db, async (tx) => work(tx, await lockOwner(tx, user))),
  );
  if (done === null) throw invalidCode();
  return done;
}

function refuseSecondTotp({ hasTotp }: FactorOwner): void {
  if (hasTotp) throw new ApiError('totp_enabled', 'TOTP is on: turn it off before you set it up again.');
}

/** Black on white, whatever the page's colours are, with the margin of four modules that readers need. */
async function drawQrCode(text: string): Promise<string> {
  const { encodeQR } = await import('qr');
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const modules = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rows.length} ${rows.length}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${modules.join('')}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
