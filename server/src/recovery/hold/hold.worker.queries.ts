import { lacksJournal } from '../../continuity/hold/charges-hold.service.ts';
import { constantPart, idList, type Queryable, type Tx } from '../../platform/database/database.ts';

/** A hold. */
export type HoldRow = {
  id: string;
  reason: string;
  begunAt: Date;
  /** From when on it compares the gateways; null until that is settled. */
  comparedFrom: Date | null;
  /** When its last pass began, and how many differences that found; null before the first one. */
  lastPassAt: Date | null;
  lastPassFound: number | null;
};

const holdColumns = constantPart(
  (db) => db`
    id, reason, begun_at AS "begunAt", compared_from AS "comparedFrom", last_pass_at AS "lastPassAt", last_pass_found AS "lastPassFound"`,
);

/** Begins a hold. Null when there is one: no two can be open at once. */
export async function insertHold(tx: Tx, { id, reason }: { id: string; reason: string }): Promise<HoldRow | null> {
  const [row] = await tx<HoldRow[]>`
    INSERT INTO charges_holds (id, reason) VALUES (${id}, ${reason}) ON CONFLICT DO NOTHING RETURNING ${holdColumns(tx)}`;
  return row ?? null;
}

/**
 * Lets the transaction end the hold with this id: until it has, nobody else begins one in which the hold may not end. False when it has
 * ended before.
 */
export async function lockToEnd(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM charges_holds WHERE id = ${id} AND ended_at IS NULL FOR NO KEY UPDATE`;
  return rows.length === 1;
}

/**
 * Whether the hold still began when it was read to, lacks no journal, and nobody has found anything that is not dealt with.
 * @param settled - the journals that were read or given up before; another one may have been found since
 */
export async function selectMayEnd(
  tx: Tx,
  { id, begunAt, settled }: Pick<HoldRow, 'id' | 'begunAt'> & { settled: readonly string[] },
): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM charges_holds
    WHERE id = ${id} AND begun_at = ${begunAt} AND NOT ${lacksJournal(tx)}
      AND NOT EXISTS (SELECT FROM recovery_cases WHERE hold_id = ${id} AND state = 'open')
      AND NOT EXISTS (SELECT FROM journals WHERE lost_at IS NULL AND NOT journals.id = ANY (${idList(tx, settled)}))`;
  return rows.length === 1;
}

/** Ends the hold with this id. Null when it has ended before. */
export async function markEnded(tx: Tx, id: string): Promise<(HoldRow & { endedAt: Date }) | null> {
  const [row] = await tx<(HoldRow & { endedAt: Date })[]>`
    UPDATE charges_holds SET ended_at = now() WHERE id = ${id} AND ended_at IS NULL
    RETURNING ${holdColumns(tx)}, ended_at AS "endedAt"`;
  return row ?? null;
}

/** Reads the open hold and the database's time, which its times are compared with. */
export async function selectOpenHold(db: Queryable): Promise<(HoldRow & { readAt: Date }) | null> {
  const [row] = await db<(HoldRow & { readAt: Date })[]>`
    SELECT ${holdColumns(db)}, now() AS "readAt" FROM charges_holds WHERE ended_at IS NULL`;
  return row ?? null;
}

/** Whether no pass of the open hold began within this many seconds, or the clock was set back since. */
export async function selectIsPassDue(db: Queryable, withinSeconds: number): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM charges_holds
    WHERE ended_at IS NULL AND (last_pass_at BETWEEN now() - make_interval(secs => ${withinSeconds}) AND now()) IS NOT TRUE`;
  return rows.length === 1;
}

/** Records the last pass of a hold: when it began, by the database's clock, and how many differences it found. */
export async function updateLastPass(
  db: Queryable,
  id: string,
  { begunAt, found }: { begunAt: Date; found: number },
): Promise<void> {
  await db`UPDATE charges_holds SET last_pass_at = ${begunAt}, last_pass_found = ${found} WHERE id = ${id}`;
}

/**
 * Moves marks that only journals had to the marks of the database, up to a limit: nobody has to deal with them any more.
 * @returns how many there were
 */
export async function writeMissingMarks(tx: Tx, limit: number): Promise<number> {
  const rows = await tx`
    WITH gone AS (
      DELETE FROM missing_marks
      WHERE (company_id, mark) IN (SELECT company_id, mark FROM missing_marks LIMIT ${limit})
      RETURNING company_id, mark, kind, subject
    ), written AS (
      INSERT INTO marks (company_id, mark, kind, subject, is_journaled)
      SELECT company_id, mark, kind, subject, true FROM gone ON CONFLICT DO NOTHING
    )
    SELECT FROM gone`;
  return rows.length;
}
