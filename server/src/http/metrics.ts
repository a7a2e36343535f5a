import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDurations } from './durations.ts';

export type Metrics = {
  registry: Registry;
  /** Adds a gauge that is read when it is scraped; NaN when that fails or takes longer than two seconds. */
  addGauge: (name: string, help: string, read: () => Promise<number> | number) => void;
};

const READING_PATIENCE_MS = 2_000;

/** Prometheus metrics of this process. Routes are labelled by pattern, never by path, and nothing by company. */
export function createMetrics(app: FastifyInstance): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'paydesk_' });
  app.answerObservers.push(createDurations(registry));
  return {
    registry,
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await readInTime(read));
        },
      });
    },
  };
}

/** One gauge whose source is away must not cost the whole scrape. */
async function readInTime(read: () => Promise<number> | number): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<number>((resolve) => {
    timer = setTimeout(resolve, READING_PATIENCE_MS, Number.NaN);
  });
  const reading = Promise.resolve()
    .then(read)
    .catch(() => Number.NaN);
  return Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}
