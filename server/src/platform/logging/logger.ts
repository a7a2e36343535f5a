import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config.ts';
import { hideLongNumbers } from './card-numbers.ts';

/**
 * The service's log: JSON, one line an event. What may be in a line is listed here, not what may not: requests, answers and
 * errors carry card numbers, tokens and customers' data in places that nobody thinks of.
 */
export function createLogger(level: LogLevel, destination: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: isoTime,
    serializers: {
      err: describeError,
      req: ({ method }: { method?: unknown }) => ({ method }),
      res: ({ statusCode }: { statusCode?: unknown }) => ({ statusCode }),
    },
  };
  return pino(options, destination);
}

const FLUSH_LENGTH = 8 * 1024;
const FLUSH_INTERVAL_MS = 100;
/** A reader that stalls costs so much memory, then lines. */
const MAX_WAITING_LENGTH = 64 * 1024 * 1024;

/**
 * Standard output, for lines that are written together, soon: a write for each would cost more than the line. They are collected
 * here, because pino's destination measures all that it has collected anew for each line.
 */
export function openLog(): { write: (line: string) => void; flushSync: () => void } {
  const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING_LENGTH });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    const passed = lines;
    lines = '';
    output.write(passed);
  };
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= FLUSH_LENGTH) pass();
      else timer ??= setTimeout(pass, FLUSH_INTERVAL_MS).unref();
    },
    flushSync: () => {
      pass();
      output.flushSync();
    },
  };
}

let second = 0;
let textOfSecond = '';

/** The time as pino wants it. Only the milliseconds are written anew for each line. */
function isoTime(): string {
  const nowMs = Date.now();
  const now = Math.floor(nowMs / 1000);
  if (now !== second) {
    second = now;
    textOfSecond = new Date(now * 1000).toISOString().slice(0, -4);
  }
  return `,"time":"${textOfSecond}${String(nowMs % 1000).padStart(3, '0')}Z"`;
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
    ...(quotesValues(error) ? {} : { message: hideLongNumbers(error.message) }),
    ...Object.fromEntries(details),
    stack: (error.stack ?? '').split('\n').filter(isPlace).join('\n'),
    ...(isDeeper ? { cause: describeError(error.cause, causes + 1) } : {}),
  };
}

/** An error in one line, for whoever reads it outside of the log: no value, no number of a card, no credential. */
export function describeFailure(error: unknown): string {
  const { type, code, message } = describeError(error);
  const name = typeof code === 'string' ? `${type} ${code}` : type;
  return message === undefined ? name : `${name}: ${hideCredentials(message)}`.slice(0, 500);
}

/** What stands in addresses before the host, behind Bearer, and behind the prefix of a key. */
function hideCredentials(text: string): string {
  return text
    .replace(/(\w+:\/\/)[^\s/@]+@/g, '$1')
    .replace(/\b(Bearer )\S+/gi, '$1[token]')
    .replace(/\b(opk|sk|rk|pk|whsec)_\w[\w+/=-]*/g, '$1_[key]');
}

/** Errors about a value quote it: PostgreSQL's class 22 ("invalid input syntax for type uuid: …"), and parsers. */
function quotesValues(error: Error): boolean {
  return error instanceof SyntaxError || ('code' in error && /^22/.test(String(error.code)));
}

function isPlace(line: string): boolean {
  return /^ +at /.test(line);
}
