import { SYSTEM_ROLES } from '../../src/platform/permissions.ts';
import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

/** A valid body for an API key, by default one that may do everything. */
export function keyBody(changes: object = {}) {
  return { name: 'Ticket service', permission: SYSTEM_ROLES.Admin.permission, ...changes };
}

/** The same with every field. */
export function fullKeyBody() {
  return keyBody({ expires_at: '2099-12-31T00:00:00Z', allowed_ips: ['192.0.2.7', '2001:db8::/32'] });
}

/** Creates an API key. @returns the answer, with the key */
export async function createApiKey(service: TestService, { token }: Actor, changes: object = {}) {
  return expectStatus(await service.call('POST', '/company/api-keys', { token, body: keyBody(changes) }), 201).body;
}
