import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/**
 * The service's log: JSON, one line an event. What may be in a line is listed here, not what may not: requests, answers and
 * errors carry card numbers, tokens and customers' data in places that nobody thinks of.
 */
export function createLogger(level: LogLevel, destination: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: describeError,
      req: ({ method }: { method?: unknown }) => ({ method }),
      res: ({ statusCode }: { statusCode?: unknown }) => ({ statusCode }),
    },
  };
  return pino(options, destination);
}

type LoggedError = {
  type: string;
  message?: string;
  /** The places alone, without the message that stands above them. */
  stack?: string;
  cause?: LoggedError;
  [detail: string]: unknown;
};

/** What PostgreSQL, Node and we say about an error without quoting a value. Not `detail`, `where`, `query` or `parameters`. */
const DETAILS = [
  'code',
  'kind',
  'syscall',
  'severity',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
];
const MAX_CAUSES = 5;

function describeError(error: unknown, causes = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const details = DETAILS.flatMap((name) => {
    const value = (error as unknown as Record<string, unknown>)[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const isDeeper = error.cause !== undefined && causes < MAX_CAUSES;
  return {
    type: error.name,
    ...(quotesValues(error) ? {} : { message: hideNumbers(error.message) }),
    ...Object.fromEntries(details),
    stack: (error.stack ?? '').split('\n').filter(isPlace).join('\n'),
    ...(isDeeper ? { cause: describeError(error.cause, causes + 1) } : {}),
  };
}

/** Errors about a value quote it: PostgreSQL's class 22 ("invalid input syntax for type uuid: …"), and parsers. */
function quotesValues(error: Error): boolean {
  return error instanceof SyntaxError || ('code' in error && /^22/.test(String(error.code)));
}

/** No card number has fewer digits than 12. */
function hideNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){11,}/g, '[number]');
}

function isPlace(line: string): boolean {
  return /^ +at /.test(line);
}
