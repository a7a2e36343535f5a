/** Reads the answers of the sandbox gateway. */
import type { Static, TSchema } from 'typebox';
import type { GatewayAnswer } from '../gateway/gateway.connection.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import { type GatewayBookRequest, GatewayError } from '../gateway/gateway.ts';
import { Refusal } from './bank/bank.schema.ts';

/** Returns the answer if it has this shape. @throws GatewayError */
export function read<Shape extends TSchema>(shape: Shape, { status, body }: GatewayAnswer): Static<Shape> {
  if (matches(Refusal, body) && body.error.code === 'idempotency_key_reused') {
    throw new GatewayError('conflict', 'The gateway knows this key from another request.');
  }
  if (status >= 400) throw new GatewayError('rejected', `The gateway refused the request with status ${status}.`);
  if (!matches(shape, body)) throw unreadable();
  return body;
}

/** Creates the error for an answer that has another shape. */
export function unreadable(): GatewayError {
  return new GatewayError('outcome_unknown', 'The answer of the gateway has another shape than agreed.');
}

/** Writes the query that asks for a page of the books. */
export function writeBookQuery({ from, to, cursor }: GatewayBookRequest): URLSearchParams {
  const query = { from: from.toISOString(), to: to.toISOString() };
  return new URLSearchParams(cursor === null ? query : { ...query, cursor });
}
