import { SYSTEM_ROLES } from '../../src/platform/permissions.ts';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

export type OpenedSession = { id: string; token: string; expiresAt: string; url: string };

/** The body of a customer session with every field but the page to return to. */
export function sessionBody(changes: object = {}) {
  return {
    user: { id: 'user-42', name: 'Grace Hopper', email: 'grace@example.com' },
    permission: SYSTEM_ROLES['Billing manager'].permission,
    expiresIn: 600,
    ...changes,
  };
}

/** Opens a customer session, as the first operator key by default. */
export async function openSession(
  { call, operatorKey }: Pick<TestService, 'call' | 'operatorKey'>,
  companyId: string,
  body: object = {},
  key = operatorKey,
): Promise<OpenedSession> {
  const answer = await call('POST', `/operator/companies/${companyId}/sessions`, { token: key, body });
  return expectStatus(answer, 201).body;
}

/** The code in the link to the dashboard. */
export function codeIn({ url }: Pick<OpenedSession, 'url'>): string {
  return new URL(url).hash.slice('#code='.length);
}
