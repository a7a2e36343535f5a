import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import { afterCommit, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import type { Client } from '../checks/client.ts';
import { checkSecretOfNobody } from '../checks/secret-check.ts';
import { findCompany } from '../companies/companies.service.ts';
import { checkOperatorKey, hashOperatorKey } from '../operators/operators.service.ts';
import { createRefreshToken, hashRefreshToken } from '../sessions/refresh-tokens.ts';
import type { CompanyView, ConsoleSessionAnswer } from '../sessions/sessions.schema.ts';
import { endViews, insertView, type Opener } from './operator-sessions.operator.queries.ts';
import { insertConsoleSession } from './operator-sessions.public.queries.ts';
import {
  answerConsole,
  describeView,
  type OperatorTokenDependencies,
  recordViewEnd,
  writeOperatorToken,
} from './operator-tokens.ts';

const CONSOLE_SECONDS = 3_600;
const VIEW_SECONDS = 900;

/** A session that has begun: its answer, and what goes into the cookie. */
export type Opened<Answer> = { answer: Answer; refreshToken: string; secondsLeft: number };

/**
 * Changes an operator key for a session of the console. A wrong key counts as a failed login at the client's address.
 * @throws ApiError invalid_credentials; rate_limited after too many failures; service_unavailable
 */
export async function openConsole(
  dependencies: OperatorTokenDependencies,
  key: string,
  client: Client,
): Promise<Opened<ConsoleSessionAnswer>> {
  const { db } = dependencies;
  // Counted at the address alone, so that strangers elsewhere lock nobody out.
  const account = `operator key ${client.network}`;
  const checked = await checkSecretOfNobody(dependencies, account, client, () => checkOperatorKey(db, key));
  if (checked === null) throw wrongKey();
  const { keyId: id, keyName: name } = checked.principal;
  const refreshToken = createRefreshToken(uuidv7());
  const session = await transaction(db, async (tx) => {
    const lifetimes = { keyHash: hashOperatorKey(key), lifetimeSeconds: CONSOLE_SECONDS };
    const opened = await insertConsoleSession(tx, { ...hashRefreshToken(refreshToken), ...lifetimes }, id);
    if (opened === null) throw wrongKey();
    const keyItself = { kind: 'operator_key' as const, id, name };
    await recordAudit(tx, null, {
      audience: 'operator',
      actor: { ...client.actor, ...keyItself },
      action: 'login.succeeded',
      target: keyItself,
      changes: null,
    });
    return opened;
  });
  return {
    answer: answerConsole(dependencies, session),
    refreshToken: writeOperatorToken('console', refreshToken),
    secondsLeft: session.secondsLeft,
  };
}

function wrongKey(): ApiError {
  return new ApiError('invalid_credentials', 'The operator key is wrong or has expired.');
}

/** Opens the view of a company for a key or one of the staff. @throws ApiError not_found, unauthenticated */
export async function openView(
  tx: Tx,
  companyId: string,
  { caller, actor, ...dependencies }: OperatorTokenDependencies & { caller: OperatorCaller; actor: Actor },
): Promise<Opened<CompanyView>> {
  const company = await findCompany(tx, companyId);
  if (company === null) throw notFound('company');
  const refreshToken = createRefreshToken(uuidv7());
  const hashes = hashRefreshToken(refreshToken);
  const made = await insertView(tx, companyId, { ...hashes, opener: openerOf(caller), lifetimeSeconds: VIEW_SECONDS });
  if (made === null) throw new ApiError('unauthenticated', 'The operator key was deleted.');
  const { secondsLeft } = made;
  await recordAudit(tx, companyId, {
    audience: 'company',
    actor,
    action: 'company.viewed',
    target: { kind: 'company', id: companyId, name: company.name },
    changes: null,
  });
  const session = { sessionId: hashes.sessionId, secondsLeft, openerId: idOf(caller) };
  return {
    answer: await describeView(tx, companyId, dependencies, session),
    refreshToken: writeOperatorToken('view', refreshToken),
    secondsLeft,
  };
}

/** Ends the caller's views of a company, whose tokens this process refuses from the commit on. @throws ApiError not_found */
export async function closeViews(
  tx: Tx,
  companyId: string,
  { caller, actor, forget }: Pick<OperatorTokenDependencies, 'forget'> & { caller: OperatorCaller; actor: Actor },
): Promise<void> {
  if ((await findCompany(tx, companyId)) === null) throw notFound('company');
  const ids = await endViews(tx, companyId, idOf(caller));
  if (ids.length > 0) await recordViewEnd(tx, companyId, actor);
  afterCommit(tx, async () => forget(ids));
}

function openerOf(caller: OperatorCaller): Opener {
  const { sessionId } = caller;
  if (caller.kind === 'operator') return { keyId: caller.keyId, sessionId };
  return { staffId: caller.userId, name: caller.name, sessionId: caller.sessionId };
}

function idOf(caller: OperatorCaller): string {
  return caller.kind === 'operator' ? caller.keyId : caller.userId;
}
