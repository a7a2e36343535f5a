import type { ReactNode } from 'react';

/** What is done with many records at once. */
export type BulkAction<Row> = {
  id: string;
  /** The verb of its buttons. */
  label: string;
  /** The title of its dialog, with the count. */
  title: (count: number) => string;
  /** What can't be undone asks for the count to be typed. */
  tone?: 'danger';
  /** What it will do, in words and figures. */
  preview: (rows: readonly Row[]) => ReactNode;
  /** How many records a request takes; one by default. */
  size?: number;
  run: (ids: readonly string[], options: { idempotencyKey: string; signal: AbortSignal }) => Promise<unknown>;
};

/** The choice of rows of a list, and what can be done with them. */
export type BulkOptions<Row> = {
  actions: readonly BulkAction<Row>[];
  canSelect?: (row: Row) => boolean;
  nameOf: (row: Row) => string;
};

/** A bulk action that this tab has begun. It is kept for a reload, and holds ids only. */
export type Bulk = { id: string; by: string | null; action: string; ids: readonly string[]; done: readonly string[] };

const PREFIX = 'paydesk.bulk.';

/** @param by - the actor of the session: nobody goes on with what somebody else has begun */
export function readBulk(list: string, by: string | null): Bulk | null {
  const text = sessionStorage.getItem(PREFIX + list);
  const bulk = text === null ? null : (JSON.parse(text) as Bulk);
  if (bulk === null || bulk.by === by) return bulk;
  keepBulk(list, null);
  return null;
}

export function keepBulk(list: string, bulk: Bulk | null): void {
  if (bulk === null) sessionStorage.removeItem(PREFIX + list);
  else sessionStorage.setItem(PREFIX + list, JSON.stringify(bulk));
}

type Listeners = {
  onDone: (ids: readonly string[]) => void;
  onFailure: (ids: readonly string[], error: unknown) => void;
};

/** Sends what is left, one request after the other. Each has a key of its own, so that a repeat after a reload has no further effect. */
export async function work(
  { id, ids, done }: Bulk,
  { run, size = 1 }: Pick<BulkAction<never>, 'run' | 'size'>,
  signal: AbortSignal,
  { onDone, onFailure }: Listeners,
): Promise<void> {
  const left = ids.filter((one) => !done.includes(one));
  while (left.length > 0) {
    const part = left.splice(0, size);
    try {
      await run(part, { idempotencyKey: `${id}-${part[0]}`, signal });
      if (signal.aborted) return;
      onDone(part);
    } catch (error) {
      if (signal.aborted) return;
      onFailure(part, error);
    }
  }
}
