import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { isPaydeskError, PaydeskConnectionError, type PaydeskError } from '../../packages/client/src/index.ts';
import { printable } from './printable.ts';

/** An error that the person at the terminal can correct. */
export class TerminalError extends Error {}

/** The exit code of a command that could not be completed, so that a nightly job can distinguish this from what it looks for. */
export const EXIT_INCOMPLETE = 2;

/** Prints an error that the person at the terminal can correct. Throws any other error again, because it is a bug. */
export function reportTerminalError(error: unknown): null {
  const message = explain(error);
  if (message === null) throw error;
  // Names of files and answers may come from others.
  const lines = message.split('\n').map(printable);
  console.error(styleText('red', lines.join('\n'), { stream: process.stderr }));
  return null;
}

/** Describes an error for the person at the terminal; null if that person can't correct it. */
function explain(error: unknown): string | null {
  if (error instanceof TerminalError) return error.message;
  if (error instanceof PaydeskConnectionError) return unreachable(readServiceUrl(process.env), error);
  return isPaydeskError(error) ? explainRefusal(error) : null;
}

function explainRefusal({ code, status, message, details }: PaydeskError): string {
  if (status === 404 || code === 'unexpected_response')
    return `The service answered with ${status}, which Paydesk does not do. Check PAYDESK_URL.`;
  if (status === 401) return UNKNOWN_KEY;
  const fields = details.map((detail) => `${detail.field} ${detail.message}`);
  return fields.length === 0 ? message : `${fields.join('; ')}.`;
}

/** What to print if the service refuses the key. */
const UNKNOWN_KEY =
  'The service does not know this operator key. Set OPERATOR_KEY, or set DATA_DIR to the data directory of the service.';

/** Returns the address of the service without a slash at its end: PAYDESK_URL, or the default of `npm start`. @throws TerminalError */
export function readServiceUrl(environment: NodeJS.ProcessEnv): string {
  const url = (environment.PAYDESK_URL || 'http://127.0.0.1:3000').replace(/\/+$/, '');
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new TerminalError(`PAYDESK_URL ${url} is not an address such as http://127.0.0.1:3000.`);
}

/**
 * Returns the operator's key: OPERATOR_KEY, or the file in the data directory (DATA_DIR, or ./data). @throws
 * TerminalError
 */
export function readOperatorKey({ OPERATOR_KEY, DATA_DIR = 'data' }: NodeJS.ProcessEnv): string {
  if (OPERATOR_KEY) return OPERATOR_KEY.trim();
  const path = join(resolve(DATA_DIR), 'operator-key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new TerminalError(
      `There is no operator key at ${path}. The service writes it at its first start: start the service with \`npm start\`. ` +
        'For a service on another machine, set OPERATOR_KEY.',
    );
  }
}

/** Describes that nothing answers, why, and what to do. */
function unreachable(url: string, { reason, cause }: PaydeskConnectionError): string {
  const source = cause instanceof Error ? cause.cause : null;
  const why = source instanceof Error && 'code' in source ? String(source.code) : reason;
  return (
    `Nothing answers at ${url} (${why}). Start the service with \`npm start\` in another terminal, or set PAYDESK_URL to ` +
    'its address.'
  );
}
