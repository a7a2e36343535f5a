import type { FastifyInstance } from 'fastify';
import type { Worker } from '../background/background.ts';
import type { Db } from '../database/database.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import type { ReadWorkQueues } from '../http/metrics/work-queues.ts';
import type { EventDeclaration } from '../http/openapi/openapi-webhooks.ts';
import type { JobTable } from '../queue/job-table.ts';
import type { Schedule } from '../queue/schedules/schedules.ts';
import type { AnyMailDeclaration } from './mail-declaration.ts';

/** Retention times that the operator configures. */
export type Retention = { usageRetentionYears: number };

/** Removes up to `limit` rows that are past retention. @returns how many were removed */
export type RemoveOld = (db: Db, limit: number, retention: Retention) => Promise<number>;

/**
 * Where the document of a kind of mark is: a table with `id` and the company's id, in the column `company_id` unless another is named, and
 * an SQL expression on its row.
 */
export type MarkKind = { table: string; companyColumn?: string; document: string };

/**
 * All that a feature adds to the service. `features.ts` lists the features; the API and its reference, the catalogue of
 * events, the background work and the metrics are made from that list.
 */
export type Feature<RouteContext, WorkContext> = {
  /** Registers its routes. */
  routes?: (server: FastifyInstance, context: RouteContext) => void;
  /** The events that it sends to webhook endpoints, by type. */
  events?: Readonly<Record<string, EventDeclaration>>;
  /** The mails about money that it sends to companies, by type. */
  mails?: Readonly<Record<string, AnyMailDeclaration<WorkContext>>>;
  /** Starts its background work. */
  workers?: (context: WorkContext) => Worker[];
  /** Starts work that charges, refunds or bills, which does not run while charges are held. */
  workersHeldWithCharges?: (context: WorkContext) => Worker[];
  /** Its work that begins at fixed times. */
  schedules?: (context: WorkContext) => Schedule[];
  /** The kinds of marks that it records, with what the journal keeps of each. */
  journaled?: Readonly<Record<string, MarkKind>>;
  /** The tables of its jobs: `GET /operator/jobs` lists them, and what dead processes had claimed becomes due again. */
  jobTables?: readonly JobTable[];
  /** What housekeeping removes. */
  removeOld?: readonly RemoveOld[];
  /** What housekeeping does after the removals. */
  maintain?: (db: Db, signal?: AbortSignal) => Promise<void>;
  /** Its background work queues, for the metrics. */
  workQueues?: ReadWorkQueues;
  /** Adds its own metrics. */
  metrics?: (metrics: Metrics, db: Db, context: WorkContext) => void;
};

/** The type of each feature's entry; `features.ts` checks that the service has all that it requires. */
export type AnyFeature = Feature<never, never>;
