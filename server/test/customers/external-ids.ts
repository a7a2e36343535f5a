import type { TestService } from '../harness/service.ts';
import { expectStatus } from './actors.ts';

/** Gives a company an external id. */
export async function giveExternalId(
  service: TestService,
  companyId: string,
  externalId: string | null,
): Promise<void> {
  const request = { token: service.operatorKey, body: { externalId } };
  expectStatus(await service.call('PUT', `/operator/companies/${companyId}`, request), 200);
}
