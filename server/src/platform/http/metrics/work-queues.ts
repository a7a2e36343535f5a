import type { Db } from '../../database/database.ts';
import { type Metrics, shareFor } from './metrics.ts';

/** Work waiting in the background. Rows that are not due yet do not count. */
export type WorkQueue = {
  /** Unique, in snake_case. */
  name: string;
  /** How many are due and not done. `COUNT_LIMIT` means that many or more. */
  depth: number;
  /** How long the oldest of them has been due; 0 without any. */
  oldestSeconds: number;
  /** How many of them have failed before. */
  retries: number;
  /** How many were given up and need a person. */
  dead: number;
};

/** Reads one queue, or several of a kind. A scrape waits for it, so it counts no more than `COUNT_LIMIT` rows. */
export type ReadWorkQueues = (db: Db) => Promise<WorkQueue[]>;

/** Counting stops here, which takes some tens of milliseconds however many rows wait. */
export const COUNT_LIMIT = 100_000;

const GAUGES = [
  ['paydesk_work_queue_depth', 'Background jobs that are due and not done yet, up to 100,000.', 'depth'],
  ['paydesk_work_queue_oldest_seconds', 'How long the oldest due job has been due.', 'oldestSeconds'],
  ['paydesk_work_queue_retries', 'Due jobs that have failed before, up to 100,000.', 'retries'],
  [
    'paydesk_work_queue_dead',
    'Background jobs that Paydesk has given up and that wait for a person, up to 100,000.',
    'dead',
  ],
] as const;

/** Gauges of all queues, labelled by name. A queue that can't be read is left out of the scrape; the others stay. */
export function addWorkQueueMetrics(metrics: Metrics, db: Db, readers: readonly ReadWorkQueues[]): void {
  // The gauges of one scrape share one reading.
  const readOnce = shareFor(0, () => readAll(db, readers));
  for (const [name, help, value] of GAUGES) {
    metrics.addLabelledGauge({ name, help, label: 'queue' }, async () =>
      (await readOnce()).map((queue) => ({ label: queue.name, value: queue[value] })),
    );
  }
}

async function readAll(db: Db, readers: readonly ReadWorkQueues[]): Promise<WorkQueue[]> {
  const queues = await Promise.all(readers.map((read) => read(db).catch(() => [])));
  return queues.flat();
}
