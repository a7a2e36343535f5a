import { TerminalError, UNKNOWN_KEY, unreachable } from './access.ts';

/** A billing run, as far as it is told here. */
export type BillingRun = {
  id: string;
  period: string;
  status: 'running' | 'waiting' | 'done' | 'failed';
  companies: number;
  done: number;
  invoices: number;
  skipped: number;
  failures: number;
  remainingSeconds: number | null;
  nextPassAt: string | null;
  failedCompanies: string[];
  unpricedPaths: { path: string; companies: number }[];
};

export type Operator = <Body>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Body>;

/** An answer that the service gives for now alone: it is overloaded, or its database is away. */
export class BusyError extends TerminalError {}

/**
 * Speaks to the service as its operator.
 * @throws BusyError when nothing answers, or 503; TerminalError with the service's own words for any other refusal
 */
export function createOperator(url: string, operatorKey: string): Operator {
  return async <Body>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new BusyError(unreachable(url, error).message);
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Body;
    const message = explain(response.status, text);
    throw response.status === 503 ? new BusyError(message) : new TerminalError(message);
  };
}

function explain(status: number, text: string): string {
  const refusal = parseRefusal(text);
  if (refusal === null || status === 404)
    return `The service answered with ${status}, which is not what Paydesk says. Is PAYDESK_URL right?`;
  if (status === 401) return UNKNOWN_KEY;
  const fields = refusal.details.map(({ field, message }) => `${field} ${message}`);
  return fields.length === 0 ? refusal.message : `${fields.join('; ')}.`;
}

type Refusal = { message: string; details: { field: string; message: string }[] };

function parseRefusal(text: string): Refusal | null {
  try {
    const { error } = JSON.parse(text) as { error: Refusal };
    return typeof error.message === 'string' && Array.isArray(error.details) ? error : null;
  } catch {
    return null;
  }
}
