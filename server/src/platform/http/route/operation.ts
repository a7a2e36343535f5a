import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../errors.ts';
import type { AnyRouteAudit } from './audit.ts';
import type { Access } from './types.ts';

/** The declaration of a route. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Fastify's form: `/labels/:label_id`. Path ids are UUIDs; any other value is a 404. */
  url: string;
  /** The name in generated clients: unique, and kept when the path or the summary changes. `createLabel`. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** A member whose own id is the last one of the path needs no permission. */
  isOpenToOneself?: true;
  /** Users alone may call it, and no API key. */
  refusesApiKeys?: true;
  /** Public, but whoever sends a credential must be a user, whom the handler finds in `request.principal`. */
  takesCredential?: true;
  /** What the last id of the path names, for the 404. Other ids are named as in the path: `company_id`. */
  resource?: string;
  /** The handler gets the company's id of the path as it was sent: it may be that of a company that is not there yet. */
  keepsCompanyId?: true;
  query?: TSchema;
  body?: TSchema;
  /** A request without a body is accepted too, as if it were `{}`. */
  bodyIsOptional?: true;
  /** With one of these query parameters, the caller needs no credential; the handler checks who it is by itself. */
  withoutCredentialBy?: string;
  /** Also for a user whose company demands a second factor, and who has none. */
  withoutSecondFactor?: true;
  /** Further media types of the body, each with its schema. They are JSON, and every rule of JSON applies. */
  mediaTypes?: Record<string, TSchema>;
  exactNumbers?: readonly string[];
  /** Puts the body's bytes into `request.bodyBytes`, for checking a signature over them. */
  keepsBodyBytes?: boolean;
  /** The body's size limit where it is not the default of 1 MiB. */
  bodyLimitBytes?: number;
  /** An additional rate limit of this route, for each caller. */
  requestsPerMinute?: number;
  /** Success statuses with their bodies; null means no body. The first one is the default. */
  response: Record<number, TSchema | null>;
  /** The example answer, by status, where it differs from the fields' examples. */
  examples?: Record<number, object>;
  /** The error codes beyond those that its access, body and path ids imply. */
  errors: readonly ErrorCode[];
  /** `create`: the work and the kept answer commit together. `run`: for work that is more than one transaction. */
  idempotency?: 'create' | 'run';
  /**
   * 503 `charges_held` while charges are held: `true` for what charges, refunds, bills or corrects; `unless_configured` for what issues
   * another document, which `CHARGES=held` does not hold.
   */
  heldWithCharges?: true | 'unless_configured';
  /** The answer of a `create` contains a secret, and is kept encrypted. */
  answersSecret?: boolean;
  /** Secret fields of the answer of a `create`, which are not kept: a repeat answers without them. */
  shownOnce?: readonly string[];
  /** What the audit log says of a change; every route but GET has it. */
  audit?: AnyRouteAudit;
};

/** Whether an API key may call a route, as far as it has the permission. */
export function acceptsApiKeys({ access, refusesApiKeys }: Pick<Operation, 'access' | 'refusesApiKeys'>): boolean {
  return (access === 'member' || access.includes('.')) && refusesApiKeys !== true;
}
