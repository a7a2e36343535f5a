import { recordAudits } from '../../audit/audit.service.ts';
import type { FactorNames } from '../../mail/mail.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import {
  deleteBegunTotp,
  deleteChallengesOfUser,
  deleteDistrustedCodes,
  deleteDistrustedLinks,
  deleteDistrustedPasskeys,
  findFactorNames,
  suspendDistrustedTotp,
} from './trust.public.queries.ts';

type Owner = { id: string; companyId: string | null; email: string };

/**
 * Ends the second factors of a user, and the links to providers, that do not count as those of the owner of the e-mail address: they were
 * set up before the owner has shown to read it, or by somebody who has tried to change it. Call it before the sessions end, so that no
 * login with one of them outlasts it.
 * @returns what was ended, and what the user still has
 */
export async function endDistrustedFactors(
  tx: Tx,
  { id, companyId, email }: Owner,
  actor: Actor,
): Promise<{ ended: FactorNames; kept: FactorNames }> {
  const passkeys = await deleteDistrustedPasskeys(tx, id);
  await deleteBegunTotp(tx, id);
  const hasTotp = await suspendDistrustedTotp(tx, id);
  const hasRecoveryCodes = await deleteDistrustedCodes(tx, id);
  await deleteDistrustedLinks(tx, id);
  await deleteChallengesOfUser(tx, id);
  const about = { audience: 'company' as const, actor };
  const user = { kind: 'user', id, name: email };
  await recordAudits(tx, companyId, [
    ...passkeys.map(({ id, name }) => {
      const target = { kind: 'passkey', id, name };
      return { ...about, action: 'passkey.deleted' as const, target, changes: { before: { name }, after: {} } };
    }),
    ...(hasTotp ? [{ ...about, action: 'totp.disabled' as const, target: user, changes: null }] : []),
    ...(hasRecoveryCodes ? [{ ...about, action: 'recovery_codes.deleted' as const, target: user, changes: null }] : []),
  ]);
  const ended = { passkeys: passkeys.map(({ name }) => name), hasTotp, hasRecoveryCodes };
  return { ended, kept: await findFactorNames(tx, id) };
}
