import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDurations } from './durations.ts';

export type Metrics = {
  /** The text of a scrape. Scrapes in parallel, or within a second, share one, so scraping in a loop is cheap. */
  scrape: () => Promise<string>;
  contentType: string;
  /** Adds a gauge that is read at each scrape; NaN when that fails or takes longer than two seconds. */
  addGauge: (name: string, help: string, read: () => Promise<number> | number) => void;
  /** Adds a gauge with a value for each label; none when reading them fails or takes longer than two seconds. */
  addLabelledGauge: (
    gauge: { name: string; help: string; label: string },
    read: () => Promise<LabelledValue[]>,
  ) => void;
};

export type LabelledValue = { label: string; value: number };

const READ_TIMEOUT_MS = 2_000;

/** Prometheus metrics of this process. Routes are labelled by pattern, never by path, and nothing by company. */
export function createMetrics(app: FastifyInstance, scrapeLifetimeMs: number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'paydesk_' });
  app.answerObservers.push(createDurations(registry));
  return {
    scrape: shareFor(scrapeLifetimeMs, () => registry.metrics()),
    contentType: registry.contentType,
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await readWithTimeout(read, Number.NaN));
        },
      });
    },
    addLabelledGauge: ({ name, help, label }, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await readWithTimeout(read, []);
          this.reset();
          for (const { label: which, value } of values) this.set({ [label]: which }, value);
        },
      });
    },
  };
}

/** Calls during a run, or shortly after it, share its result, so there is never more than one. */
export function shareFor<T>(lifetimeMs: number, work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () => {
    if (shared !== undefined) return shared;
    const current = work();
    const forget = () => {
      if (shared === current) shared = undefined;
    };
    shared = current;
    current.then(() => (lifetimeMs === 0 ? forget() : setTimeout(forget, lifetimeMs).unref()), forget);
    return current;
  };
}

/** A gauge whose source is unavailable must not fail the whole scrape. */
export async function readWithTimeout<T>(read: () => Promise<T> | T, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, READ_TIMEOUT_MS, otherwise);
  });
  const reading = Promise.resolve()
    .then(read)
    .catch(() => otherwise);
  return Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
}
