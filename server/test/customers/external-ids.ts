import type { TestService } from '../harness/service.ts';

/** Gives a company an external id. */
export async function giveExternalId({ database }: TestService, companyId: string, externalId: string): Promise<void> {
  await database.owner`UPDATE companies SET external_id = ${externalId} WHERE id = ${companyId}`;
}
