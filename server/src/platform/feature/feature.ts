import type { FastifyInstance } from 'fastify';
import type { Job, Worker } from '../background/background.ts';
import type { ReadWorkQueues } from '../background/work-queues.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import type { EventDeclaration } from '../http/openapi/openapi-webhooks.ts';

/**
 * Makes due what these processes have in hand. What somebody has locked is left for the next time, so that it waits for nobody.
 * @returns how much there was
 */
export type ReleaseLeases = (tx: Tx, processIds: readonly string[]) => Promise<number>;

/** For how long the operator keeps what can be kept for years. */
export type Retention = { usageRetentionYears: number };

/** Removes rows that have been kept for as long as they are, up to a limit. @returns how many there were */
export type RemoveOld = (db: Db, limit: number, retention: Retention) => Promise<number>;

/**
 * All that a feature adds to the service. `features.ts` lists the features; the API and its reference, the catalogue of events, the
 * work in the background and the metrics are made from that list.
 */
export type Feature<RouteContext, WorkContext> = {
  /** Registers its routes. */
  routes?: (server: FastifyInstance, context: RouteContext) => void;
  /** What it tells webhook endpoints of, by type. */
  events?: Readonly<Record<string, EventDeclaration>>;
  /** Starts its work in the background. */
  workers?: (context: WorkContext) => Worker[];
  /** Starts work that charges, gives back or bills, which does not run while charges are held. */
  workersHeldWithCharges?: (context: WorkContext) => Worker[];
  /** What it does at fixed times. */
  jobs?: (context: WorkContext) => Job[];
  /** Makes due again what dead processes have in hand. */
  releaseLeases?: ReleaseLeases;
  /** What housekeeping removes. */
  removeOld?: readonly RemoveOld[];
  /** What else housekeeping does each time, after the removals. */
  maintain?: (db: Db, signal?: AbortSignal) => Promise<void>;
  /** What waits to be done in the background, for the metrics. */
  workQueues?: ReadWorkQueues;
  /** Adds its own metrics. */
  metrics?: (metrics: Metrics, db: Db) => void;
};

/** What each feature's entry satisfies; `features.ts` shows that the service has all that it asks for. */
export type AnyFeature = Feature<never, never>;
