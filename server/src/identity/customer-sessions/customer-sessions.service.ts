import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import { afterCommit, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { isPartOf, type PermissionSet, permissionsOf } from '../../platform/permissions.ts';
import { findCompany } from '../companies/companies.service.ts';
import { readAllowedPage } from '../integration/integration.service.ts';
import { readPermission } from '../roles/roles.service.ts';
import { createSecret, hashSecret } from '../secrets/secrets.ts';
import { signAccessToken } from '../sessions/access-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import type { SessionSettings } from '../sessions/sessions.service.ts';
import {
  endSession,
  endSessions,
  insertSession,
  lockOpenCompany,
  selectSession,
  selectSessions,
} from './customer-sessions.queries.ts';
import type {
  CustomerSession,
  CustomerSessionBody,
  CustomerSessionList,
  CustomerSessionQuery,
  NewCustomerSession,
} from './customer-sessions.schema.ts';

const DEFAULT_SECONDS = 3_600;
/** How long the link to the dashboard works. */
const CODE_SECONDS = 300;
/** The name of the role in the tokens. Other services see by it that nobody of the company is logged in. */
export const CUSTOMER_ROLE = 'Customer session';

/** The most that a session may be given, and what it is given by default. */
const [AT_MOST, BY_DEFAULT] = [
  permissionsOf('platform.billing', 'application.labels'),
  permissionsOf('platform.billing'),
];

export type CustomerSessionDependencies = { keyring: Keyring; settings: SessionSettings };

/**
 * Opens a session for a customer of the operator's product. The secrets of the answer are in no other.
 * @throws ApiError 400, return_origin_not_allowed, not_found, disabled_company, unauthenticated
 */
export async function openSession(
  tx: Tx,
  companyId: string,
  { caller, actor, keyring, settings }: CustomerSessionDependencies & { caller: OperatorCaller; actor: Actor },
  { user, returnUrl, expiresIn = DEFAULT_SECONDS, ...body }: CustomerSessionBody,
): Promise<NewCustomerSession> {
  const permission = body.permission === undefined ? BY_DEFAULT : readSessionPermission(body.permission);
  const company = await lockOpenCompany(tx, companyId);
  if (company === null) throw notFound('company');
  const returnPage = returnUrl === undefined ? null : await readAllowedPage(tx, returnUrl);
  if (returnUrl !== undefined && returnPage === null)
    throw new ApiError('return_origin_not_allowed', 'returnUrl does not begin with one of the allowed origins.', {
      details: [{ field: 'returnUrl', message: 'must begin with one of the allowed origins' }],
    });
  if (company.isDisabled) throw new ApiError('disabled_company', 'The company is disabled.');
  const code = createSecret();
  const made = await insertSession(tx, companyId, {
    ...{ id: uuidv7(), user: user ?? null, permission, returnUrl: returnPage, expiresInSeconds: expiresIn },
    ...{ codeHash: hashSecret('session_code', code), codeSeconds: CODE_SECONDS },
    openedBy: caller.kind === 'operator' ? { keyId: caller.keyId } : { staffId: caller.userId, name: caller.name },
  });
  if (made === null) throw new ApiError('unauthenticated', 'The operator key was deleted.');
  await recordSession(tx, companyId, { actor, action: 'customer_session.created', session: made });
  const { id, expiresAt } = made;
  const token = signAccessToken(keyring, settings, {
    ...{ userId: user?.id ?? id, sessionId: id, companyId, companyExternalId: company.externalId },
    ...{ role: CUSTOMER_ROLE, kind: 'customer', expiresAt },
  });
  return { id, token, expiresAt, url: `${settings.publicUrl}/app/session#code=${code.toString('base64url')}` };
}

function readSessionPermission(given: PermissionSet): PermissionSet {
  const permission = readPermission(given);
  if (!isPartOf(permission, AT_MOST))
    throw invalidField('permission', 'can grant platform.billing and application.labels alone');
  return permission;
}

/** A page of the company's open sessions, newest first. @throws ApiError not_found */
export async function listSessions(
  db: Queryable,
  companyId: string,
  { page, perPage }: CustomerSessionQuery,
): Promise<CustomerSessionList> {
  const sessions = await selectSessions(db, companyId, { limit: perPage, offset: (page - 1) * perPage });
  if (sessions.total === 0 && (await findCompany(db, companyId)) === null) throw notFound('company');
  return { page, perPage, ...sessions };
}

/** Ends a session, whose tokens this process refuses from the commit on. @throws ApiError not_found */
export async function deleteSession(
  tx: Tx,
  companyId: string,
  { id, actor, forget }: { id: string; actor: Actor; forget: TokenAuthentication['forget'] },
): Promise<void> {
  const session = await selectSession(tx, companyId, id);
  if (session === null || !(await endSession(tx, companyId, id))) throw notFound('session');
  await recordSession(tx, companyId, { actor, action: 'customer_session.deleted', session });
  afterCommit(tx, async () => forget([id]));
}

/** Ends all sessions of a company, in the transaction that disables it. */
export async function endSessionsOfCompany(tx: Tx, companyId: string): Promise<void> {
  await endSessions(tx, companyId);
}

type Recorded = {
  actor: Actor;
  action: 'customer_session.created' | 'customer_session.deleted';
  session: CustomerSession;
};

/** Records what happened to a session, in the log of its company. */
async function recordSession(tx: Tx, companyId: string, { actor, action, session }: Recorded): Promise<void> {
  const { id, user, permission, returnUrl, expiresAt } = session;
  const fields = { user, permission, returnUrl, expiresAt };
  const changes = action === 'customer_session.created' ? { before: {}, after: fields } : { before: fields, after: {} };
  const target = { kind: 'customer_session', id, name: user?.name ?? '' };
  await recordAudit(tx, companyId, { audience: 'company', actor, action, target, changes });
}
