import type { Queryable, Tx } from '../../platform/database/database.ts';

/** Keeps a reset that was asked for. @returns false when as many as `most` wait already */
export async function insertForgotten(db: Queryable, id: string, email: string, most: number): Promise<boolean> {
  const rows = await db`
    INSERT INTO forgotten_passwords (id, email)
    SELECT ${id}, ${email}
    WHERE (SELECT count(*) FROM (SELECT FROM forgotten_passwords LIMIT ${most}) AS waiting) < ${most}
    RETURNING 1`;
  return rows.length === 1;
}

/** Takes a reset that was asked for. @returns its e-mail; null when another transaction has taken it */
export async function takeForgotten(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx<[{ email: string }?]>`DELETE FROM forgotten_passwords WHERE id = ${id} RETURNING email`;
  return row?.email ?? null;
}

/** Lists resets that were asked for so many seconds ago, the oldest first. */
export async function selectForgotten(
  db: Queryable,
  { waitingSeconds, limit }: { waitingSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM forgotten_passwords WHERE asked_at < now() - make_interval(secs => ${waitingSeconds})
    ORDER BY asked_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
