import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { isPaydeskError, PaydeskConnectionError, type PaydeskError } from '../../packages/client/src/index.ts';

/** Something that the person at the terminal can do something about. */
export class TerminalError extends Error {}

/** The exit code of a command that could not be run, or not to its end, so that a nightly job can tell that from what it looks for. */
export const INCOMPLETE = 2;

/** Tells what stood in the way, and no more. What the person at the terminal can do nothing about is a fault of ours, and thrown on. */
export function complain(error: unknown): null {
  const message = explain(error);
  if (message === null) throw error;
  console.error(styleText('red', message, { stream: process.stderr }));
  return null;
}

/** An error in words for the person at the terminal; null for one that the person can do nothing about. */
function explain(error: unknown): string | null {
  if (error instanceof TerminalError) return error.message;
  if (error instanceof PaydeskConnectionError) return unreachable(readServiceUrl(process.env), error);
  return isPaydeskError(error) ? explainRefusal(error) : null;
}

function explainRefusal({ code, status, message, details }: PaydeskError): string {
  if (status === 404 || code === 'unexpected_response')
    return `The service answered with ${status}, which is not what Paydesk says. Is PAYDESK_URL right?`;
  if (status === 401) return UNKNOWN_KEY;
  const fields = details.map((detail) => `${detail.field} ${detail.message}`);
  return fields.length === 0 ? message : `${fields.join('; ')}.`;
}

/** What the service says to a wrong key, in words for whoever has set it. */
const UNKNOWN_KEY = 'The service does not know this operator key. Set OPERATOR_KEY, or DATA_DIR to its data directory.';

/** Where the service is, without a slash at the end: PAYDESK_URL, or where `npm start` puts it. @throws TerminalError */
export function readServiceUrl(environment: NodeJS.ProcessEnv): string {
  const url = (environment.PAYDESK_URL || 'http://127.0.0.1:3000').replace(/\/+$/, '');
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new TerminalError(`PAYDESK_URL ${url} is not an address such as http://127.0.0.1:3000.`);
}

/** The operator's key: OPERATOR_KEY, or the file in the data directory (DATA_DIR, or ./data). @throws TerminalError */
export function readOperatorKey({ OPERATOR_KEY, DATA_DIR = 'data' }: NodeJS.ProcessEnv): string {
  if (OPERATOR_KEY) return OPERATOR_KEY.trim();
  const path = join(resolve(DATA_DIR), 'operator-key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new TerminalError(
      `There is no operator's key at ${path}. The first start of the service writes it: start it with \`npm start\`. ` +
        'For a service elsewhere, set OPERATOR_KEY.',
    );
  }
}

/** Says that nothing answers, why, and what to do. */
function unreachable(url: string, { reason, cause }: PaydeskConnectionError): string {
  const source = cause instanceof Error ? cause.cause : null;
  const why = source instanceof Error && 'code' in source ? String(source.code) : reason;
  return (
    `Nothing answers at ${url} (${why}). Start the service with \`npm start\` in another terminal, or say where it is with ` +
    'PAYDESK_URL.'
  );
}
