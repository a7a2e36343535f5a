import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDurations } from './durations.ts';

export type Metrics = {
  /** The text of a scrape. Scrapers at the same time, or within a second, share one: to ask in a loop costs nobody anything. */
  scrape: () => Promise<string>;
  contentType: string;
  /** Adds a gauge that is read when it is scraped; NaN when that fails or takes longer than two seconds. */
  addGauge: (name: string, help: string, read: () => Promise<number> | number) => void;
  /** Adds a gauge with a value for each label. It has none when reading them fails or takes longer than two seconds. */
  addLabelledGauge: (
    gauge: { name: string; help: string; label: string },
    read: () => Promise<LabelledValue[]>,
  ) => void;
};

export type LabelledValue = { label: string; value: number };

const READING_PATIENCE_MS = 2_000;

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
          this.set(await readInTime(read, Number.NaN));
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
          const values = await readInTime(read, []);
          this.reset();
          for (const { label: which, value } of values) this.set({ [label]: which }, value);
        },
      });
    },
  };
}

/** Calls that come while one works, or so soon after it, get what it came to. So there is never more than one. */
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

/** One gauge whose source is away must not cost the whole scrape. */
export async function readInTime<T>(read: () => Promise<T> | T, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, READING_PATIENCE_MS, otherwise);
  });
  const reading = Promise.resolve()
    .then(read)
    .catch(() => otherwise);
  return Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}
