import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { UsageThreshold } from './thresholds.schema.ts';

const columns = constantPart(
  (db) => db`
    thresholds.id, thresholds.company_id AS "companyId", thresholds.path, thresholds.quantity::text AS quantity,
    thresholds.created_at AS "createdAt"`,
);

/** A threshold without its last event. */
export type ThresholdRow = Omit<UsageThreshold, 'lastReached'>;

/** Inserts a threshold. `quantity` is digits. */
export async function insertThreshold(
  tx: Tx,
  companyId: string,
  { id, path, quantity }: { id: string; path: string; quantity: string },
): Promise<ThresholdRow> {
  const [row] = await tx<[ThresholdRow]>`
    INSERT INTO usage_thresholds AS thresholds (company_id, id, path, quantity)
    VALUES (${companyId}, ${id}, ${path}, ${quantity})
    RETURNING ${columns(tx)}`;
  return row;
}

/** Counts the company's thresholds. */
export async function countThresholds(tx: Tx, companyId: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    SELECT count(*)::int AS count FROM usage_thresholds WHERE company_id = ${companyId}`;
  return row.count;
}

type ListedRow = ThresholdRow & { period: string | null; reachedQuantity: string; reachedAt: Date };

/** Reads the company's thresholds, the newest first, each with the last period in which it was reached. */
export async function selectThresholds(db: Queryable, companyId: string): Promise<UsageThreshold[]> {
  const rows = await db<ListedRow[]>`
    SELECT ${columns(db)}, last.period, last.quantity::text AS "reachedQuantity", last.reached_at AS "reachedAt"
    FROM usage_thresholds AS thresholds
    LEFT JOIN LATERAL (
      SELECT period, quantity, reached_at FROM usage_threshold_crossings
      WHERE company_id = thresholds.company_id AND threshold_id = thresholds.id
      ORDER BY period DESC LIMIT 1
    ) AS last ON true
    WHERE thresholds.company_id = ${companyId}
    ORDER BY thresholds.id DESC`;
  return rows.map(({ period, reachedQuantity, reachedAt, ...threshold }) => ({
    ...threshold,
    lastReached: period === null ? null : { period, quantity: reachedQuantity, reachedAt },
  }));
}

/** Deletes a threshold with its record of periods. @returns false if there is none */
export async function deleteThreshold(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`DELETE FROM usage_thresholds WHERE company_id = ${companyId} AND id = ${id} RETURNING 1`;
  return rows.length === 1;
}
