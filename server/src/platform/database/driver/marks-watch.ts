import type Postgres from 'postgres';

/**
 * Marks that the database must have. A new connection to a primary calls `onMissing` when it lacks one of them, and `onOtherServer` when it
 * is to another server than the one before, or to one that was restarted.
 */
export type MarksWatch = {
  /** SQL for whether the database has all of them; null when none is expected. Whoever watches hands it in. */
  hasMarks: () => string | null;
  onMissing: () => void;
  onOtherServer: () => void;
};

const watches = new WeakMap<Postgres.Sql, MarksWatch>();

/** From now on each new connection of the pool checks that the database has the marks; null ends that. */
export function watchMarks(db: Postgres.Sql, watch: MarksWatch | null): void {
  if (watch === null) watches.delete(db);
  else watches.set(db, watch);
}

/** What new connections of the pool check; undefined for nothing. */
export function watchOf(db: Postgres.Sql): MarksWatch | undefined {
  return watches.get(db);
}

/** A column that says whether all expected marks are there; nothing when none is expected. */
export function readMarks(watch: MarksWatch | undefined): string {
  const condition = watch?.hasMarks() ?? null;
  return condition === null ? '' : `, ${condition} AS "hasMarks"`;
}

/** Names and values are ours, or the name of a role. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
