import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOpenToCustomerSessions } from '../../customer-session-scope.ts';
import type { DatabaseGuard } from '../../database/guard.ts';
import { ApiError } from '../../errors.ts';
import { mayCallAsOperator, type OperatorRole } from '../../operator-roles.ts';
import { grants } from '../../permissions.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { RateLimiter } from '../limits/rate-limits.ts';
import { addressOf } from './actor.ts';
import { acceptsApiKeys, type Operation } from './operation.ts';
import type { Access, ApiKeyPrincipal, Authenticate, Principal } from './types.ts';

/** `Bearer <token>`, or the bare token, as clients of the labels send it. Null for anything else. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^Bearer [^ ]+$/.test(header)) return header.slice('Bearer '.length);
  const [first, second, ...rest] = header.trim().split(/ +/);
  if (second === undefined) return first || null;
  return first?.toLowerCase() === 'bearer' && rest.length === 0 ? second : null;
}

/** The value of a cookie of the request; null when there is none, or it is empty. */
export function readCookie({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [first = '', ...rest] = pair.trim().split('=');
    if (first === name) return rest.join('=') || null;
  }
  return null;
}

type Gate = Pick<
  Operation,
  | 'method'
  | 'url'
  | 'access'
  | 'withoutCredentialBy'
  | 'isOpenToOneself'
  | 'withoutSecondFactor'
  | 'refusesApiKeys'
  | 'takesCredential'
>;

/**
 * Finds the caller, and refuses one who may not call the route. Returns a promise only when needed: most callers are cached.
 * @throws ApiError unauthenticated, address_not_allowed, forbidden, second_factor_required, email_not_verified, company_disabled,
 *   rate_limited, service_unavailable
 */
export function authorize(
  { guard, authenticate, limitRate }: { guard: DatabaseGuard; authenticate: Authenticate; limitRate: RateLimiter },
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  if (guard.isSaturated()) throw new ApiError('service_unavailable', 'The database is busy.', { retryAfterSeconds: 2 });
  const access = accessOf(gate, request);
  if (access === 'public') {
    limitRate(reply, clientNetwork(request.ip));
    return;
  }
  const credential = readBearer(request.headers.authorization);
  const admit = (principal: Principal | null): undefined => {
    limitRate(reply, principal === null ? clientNetwork(request.ip) : callerOf(principal, credential));
    // Whoever has got hold of a key learns nothing of it elsewhere, not even its permissions.
    if (principal?.kind === 'api_key' && acceptsApiKeys(gate)) refuseAddress(principal, request);
    admitCaller(principal, access, gate, request);
  };
  const principal = credential === null ? null : authenticate(credential);
  return principal instanceof Promise ? guard.guarded(principal, 'read').then(admit) : admit(principal);
}

/** Whose requests are counted together: those of one credential; a session that no user has may have several tokens at once. */
function callerOf(principal: Principal, credential: string | null): string {
  const sessionId = principal.kind === 'user' || principal.kind === 'api_key' ? null : principal.sessionId;
  return sessionId ?? credential ?? '';
}

/**
 * Refuses a caller who may not call the route any more: a client may send the body long after the headers by which it was let in.
 * @throws ApiError as `authorize`, without the limits of rate and address
 */
export async function authorizeAgain(
  { guard, authenticate }: { guard: DatabaseGuard; authenticate: Authenticate },
  gate: Gate,
  request: FastifyRequest,
): Promise<void> {
  const { principal: before } = request;
  if (before === null) return;
  const found = authenticate(readBearer(request.headers.authorization) ?? '');
  const principal = found instanceof Promise ? await guard.guarded(found, 'read') : found;
  if (principal !== before) admitCaller(principal, accessOf(gate, request), gate, request);
}

function admitCaller(principal: Principal | null, access: Access, gate: Gate, request: FastifyRequest): void {
  const isOneself = gate.isOpenToOneself === true && isOwnPath(principal, request);
  request.principal = refuseStranger(principal, isOneself ? 'member' : access, gate);
}

function accessOf({ access, withoutCredentialBy, takesCredential }: Gate, { query, headers }: FastifyRequest): Access {
  if (takesCredential && headers.authorization !== undefined) return 'user';
  const isExempt = withoutCredentialBy !== undefined && withoutCredentialBy in (query as object);
  return isExempt ? 'public' : access;
}

function refuseStranger(principal: Principal | null, access: Access, gate: Gate): Principal {
  if (principal === null)
    throw new ApiError('unauthenticated', 'Send a valid access token: Authorization: Bearer <token>.');
  if (principal.kind === 'user' && principal.lacksSecondFactor && needsSecondFactor(gate))
    throw new ApiError('second_factor_required', 'You need a second factor: set up TOTP or a passkey first.');
  if (!mayCall(principal, access, gate)) throw new ApiError('forbidden', 'You lack the permission for this operation.');
  // A customer session has no e-mail to verify, and ends when its company is disabled. A view changes nothing.
  if (principal.kind === 'operator' || principal.kind === 'customer_session' || principal.kind === 'view')
    return principal;
  if (principal.lacksVerifiedEmail && changesCompany(gate))
    throw new ApiError('email_not_verified', 'Verify your e-mail address first: follow the link in the mail.');
  if (principal.isCompanyDisabled && changesCompany(gate))
    throw new ApiError('company_disabled', 'The company is disabled. It can be read, but not changed.');
  return principal;
}

/** @throws ApiError address_not_allowed */
function refuseAddress({ mayCallFrom }: ApiKeyPrincipal, request: FastifyRequest): void {
  if (mayCallFrom(addressOf(request))) return;
  throw new ApiError('address_not_allowed', 'The API key cannot be used from this IP address.');
}

function mayCall(principal: Principal, access: Access, gate: Gate): boolean {
  if (access === 'operator') {
    const role = operatorRoleOf(principal);
    return role !== null && mayCallAsOperator(role, gate);
  }
  if (principal.kind === 'customer_session' && !isOpenToCustomerSessions(gate)) return false;
  if (principal.kind === 'view' && gate.method !== 'GET') return false;
  if (principal.kind === 'operator' || (principal.kind === 'api_key' && !acceptsApiKeys(gate))) return false;
  if (access === 'user' || access === 'public') return principal.kind === 'user';
  return principal.companyId !== null && (access === 'member' || grants(principal.permissions, access));
}

/** Whether the last id of the path is the caller's. */
function isOwnPath(principal: Principal | null, { params }: FastifyRequest): boolean {
  const id = Object.values(params as Record<string, string>).at(-1);
  return principal?.kind === 'user' && principal.userId === id?.toLowerCase();
}

/** Whether a route is closed to a user who lacks a second factor that is demanded. */
export function needsSecondFactor({
  access,
  withoutSecondFactor,
}: Pick<Operation, 'access' | 'withoutSecondFactor'>): boolean {
  return access !== 'public' && withoutSecondFactor !== true;
}

/** What the caller may do under `/operator`; null for nothing. */
export function operatorRoleOf(principal: Principal): OperatorRole | null {
  if (principal.kind === 'operator') return principal.role;
  return principal.kind === 'user' ? principal.staffRole : null;
}

/** Whether a route changes something of the caller's company, rather than the caller's own account. */
export function changesCompany({ method, url, access }: Pick<Operation, 'method' | 'url' | 'access'>): boolean {
  return method !== 'GET' && access !== 'public' && access !== 'operator' && !url.startsWith('/auth/');
}
