import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

export type CreatedKey = { id: string; name: string; role: string; prefix: string; key: string };

/** Creates an operator key as the first key. */
export async function createKey(service: TestService, changes: object = {}): Promise<CreatedKey> {
  const body = { name: 'Ada', role: 'viewer', ...changes };
  return expectStatus(await service.call('POST', '/operator/keys', { token: service.operatorKey, body }), 201).body;
}
