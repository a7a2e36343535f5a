import { v7 as uuidv7 } from 'uuid';
import { lockCompany, readBillingSettings } from '../../customers/companies/companies.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { insertCheck } from './thresholds.check.queries.ts';
import { selectThresholdCompany } from './thresholds.operator.queries.ts';
import { countThresholds, deleteThreshold, insertThreshold, selectThresholds } from './thresholds.queries.ts';
import type { UsageThreshold, UsageThresholdBody } from './thresholds.schema.ts';

/** The limit is low, because the list is not paged and each check compares all of them. */
const MAX_THRESHOLDS = 20;

/**
 * Adds a threshold for all billing periods from the current one on. If it is reached already, the next check records
 * that.
 * @throws ApiError not_found, limit_reached
 */
export async function createThreshold(
  tx: Tx,
  companyId: string,
  { path = '*', quantity }: UsageThresholdBody,
  now: Date,
): Promise<UsageThreshold> {
  await readBillingSettings(tx, companyId);
  // Serializes parallel creates, so that each counts the other's threshold.
  await lockCompany(tx, companyId);
  if ((await countThresholds(tx, companyId)) >= MAX_THRESHOLDS) {
    throw new ApiError('limit_reached', `A company can have at most ${MAX_THRESHOLDS} usage thresholds.`);
  }
  const threshold = await insertThreshold(tx, companyId, { id: uuidv7(), path, quantity });
  await insertCheck(tx, companyId, { firstHour: now, lastHour: now, dueAt: now });
  return { ...threshold, lastReached: null };
}

/** Reads all thresholds of the company, newest first. @throws ApiError not_found */
export async function listThresholds(db: Queryable, companyId: string): Promise<{ data: UsageThreshold[] }> {
  await readBillingSettings(db, companyId);
  return { data: await selectThresholds(db, companyId) };
}

/** The threshold, or null when the company has none with this id. */
export async function findThreshold(db: Queryable, companyId: string, id: string): Promise<UsageThreshold | null> {
  const thresholds = await selectThresholds(db, companyId);
  return thresholds.find((threshold) => threshold.id === id) ?? null;
}

/** Does the same for the operator, whose request contains only the threshold's id. */
export async function findAnyThreshold(db: Queryable, id: string): Promise<UsageThreshold | null> {
  const companyId = await selectThresholdCompany(db, id);
  return companyId === null ? null : findThreshold(db, companyId, id);
}

/** Removes a threshold. Events that it caused stay. @throws ApiError not_found */
export async function removeThreshold(db: Queryable, companyId: string, id: string): Promise<void> {
  if (!(await deleteThreshold(db, companyId, id))) refuseUnknown();
}

/** Does the same for the operator, whose request contains only the threshold's id. @throws ApiError not_found */
export async function removeAnyThreshold(db: Queryable, id: string): Promise<void> {
  const companyId = await selectThresholdCompany(db, id);
  await removeThreshold(db, companyId ?? refuseUnknown(), id);
}

function refuseUnknown(): never {
  throw notFound('usage threshold');
}
