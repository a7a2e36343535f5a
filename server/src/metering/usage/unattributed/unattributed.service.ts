import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { discardWaiting, lockGivenIds, selectUnattributed, selectWaiting } from './unattributed.operator.queries.ts';
import type { UnattributedUsage, UnattributedUsageList, UnattributedUsageQuery } from './unattributed.schema.ts';

/** A page of the external ids of which usage waits for a company. */
export async function listUnattributed(
  db: Queryable,
  { page, perPage }: UnattributedUsageQuery,
): Promise<UnattributedUsageList> {
  const { total, data } = await selectUnattributed(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data };
}

/** The usage that waits for an external id; null when none does. No more comes until the transaction ends. */
export async function lockWaitingUsage(tx: Queryable, externalId: string): Promise<UnattributedUsage | null> {
  await lockGivenIds(tx);
  return selectWaiting(tx, externalId);
}

/** Deletes the usage that waits for an external id; housekeeping removes its events. @throws ApiError not_found */
export async function discardUnattributed(tx: Tx, externalId: string): Promise<void> {
  if (!(await discardWaiting(tx, externalId))) throw notFound('unattributed usage');
}
