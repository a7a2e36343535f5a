import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../errors.ts';
import type { Access } from './types.ts';

/** What a route says about itself. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Fastify's form: `/labels/:label_id`. Path ids are UUIDs; one that is not names nothing. */
  url: string;
  /** By which generated clients call it: unique, and kept when the path or the summary changes. `createLabel`. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** What the last id of the path names, for the 404. Those before it are named as the path has them: `company_id`. */
  resource?: string;
  query?: TSchema;
  body?: TSchema;
  /** Further media types of the body, each with its schema. They are JSON, and hold to every rule of it. */
  mediaTypes?: Record<string, TSchema>;
  exactNumbers?: readonly string[];
  /** The handler finds the bytes of the body in `request.bodyBytes`, for a signature that is about them. */
  keepsBodyBytes?: boolean;
  /** Where 1 MiB is more than can be needed. */
  bodyLimitBytes?: number;
  /** A bound of its own beside the one that holds for all routes, for each caller. */
  requestsPerMinute?: number;
  /** Success statuses with their bodies; null is no body. The first one is the default. */
  response: Record<number, TSchema | null>;
  /** Where the example of an answer differs from what its fields' examples add up to, by status. */
  examples?: Record<number, object>;
  /** The codes that this route can answer beyond those that its access, body and path ids imply. */
  errors: readonly ErrorCode[];
  /** `create`: the work and the kept answer commit together. `run`: for work that is more than one transaction. */
  idempotency?: 'create' | 'run';
  /** Charges, gives back, bills or corrects: 503 `charges_held` while charges are held. */
  heldWithCharges?: boolean;
  /** The answer of a `create` shows a secret, and is kept encrypted. */
  answersSecret?: boolean;
};
