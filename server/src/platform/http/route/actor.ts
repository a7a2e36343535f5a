import type { FastifyRequest } from 'fastify';
import { hideCardNumbers } from '../../logging/card-numbers.ts';
import type { CustomerSessionPrincipal } from './types.ts';

/** The kinds of actors, as the audit log names them. */
export const ACTOR_KINDS = [
  'user',
  'api_key',
  'customer_session',
  'operator_key',
  'staff',
  'system',
  'command_line',
  'anonymous',
] as const;

/** Who does something, and where the request for it came from, for the audit log. */
export type Actor = {
  kind: (typeof ACTOR_KINDS)[number];
  /** Null for an actor without an id of its own. */
  id: string | null;
  name: string;
  /** Of a customer session: the name of the operator key that has opened it. */
  key?: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
};

/** Work that nobody asked for by a request. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: '', ip: null, userAgent: null, requestId: null };

const MAX_LENGTH = 255;

/** The caller of a request. Without a credential, or before it is known, it is anonymous. */
export function actorOf(request: FastifyRequest): Actor {
  const { principal } = request;
  const origin = { ...originOf(request), requestId: request.id };
  if (principal === null) return { kind: 'anonymous', id: null, name: '', ...origin };
  if (principal.kind === 'operator')
    return { kind: 'operator_key', id: principal.keyId, name: principal.keyName, ...origin };
  if (principal.kind === 'api_key') return { kind: 'api_key', id: principal.keyId, name: principal.name, ...origin };
  if (principal.kind === 'customer_session') return { ...describeCustomer(principal), ...origin };
  if (principal.kind === 'view') return { ...principal.openedBy, ...origin };
  const kind = principal.staffRole === null ? 'user' : 'staff';
  return { kind, id: principal.userId, name: principal.name, ...origin };
}

/** A customer session as an actor: by the id of its person, else by its own. */
export function describeCustomer({
  sessionId,
  customerId,
  name,
  openedBy,
}: CustomerSessionPrincipal): Required<Pick<Actor, 'kind' | 'id' | 'name' | 'key'>> {
  return { kind: 'customer_session', id: customerId ?? sessionId, name, key: openedBy.name };
}

/** Where a request comes from. Clients choose the user agent, so it is cut, and must not contain a card number. */
export function originOf(request: FastifyRequest): { ip: string; userAgent: string | null } {
  const userAgent = request.headers['user-agent'];
  return {
    ip: addressOf(request),
    userAgent: userAgent === undefined ? null : hideCardNumbers(userAgent).slice(0, MAX_LENGTH),
  };
}

/** The address that a request comes from. An IPv4 address is written as such, whatever the socket is. */
export function addressOf({ ip }: FastifyRequest): string {
  return ip.replace(/^::ffff:(?=\d+\.)/, '').slice(0, MAX_LENGTH);
}
