import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config.ts';
import { hideLongNumbers } from './card-numbers.ts';

/**
 * Creates the service's log: one line of JSON per event. It lists the fields that may be logged, not those that may not: requests, answers
 * and errors contain card numbers, tokens and customers' data in unexpected fields.
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
/** If the reader of the log stalls, up to this much is kept in memory; then lines are dropped. */
const MAX_WAITING_LENGTH = 64 * 1024 * 1024;

/**
 * Opens standard output for lines that are written together after a short delay, because a write per line would cost more than the line.
 * The lines are collected here, because pino's destination measures everything that it has collected again for each line.
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

/** The time in pino's format. Only the milliseconds are formatted for each line. */
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
  /** The stack without the message above it. */
  stack?: string;
  cause?: LoggedError;
  [detail: string]: unknown;
};

/**
 * The fields in which PostgreSQL, Node and Paydesk describe an error without a value. Not among them are `detail`, `where`, `query` and
 * `parameters`.
 */
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
    stack: (error.stack ?? '').split('\n').filter(isStackFrame).join('\n'),
    ...(isDeeper ? { cause: describeError(error.cause, causes + 1) } : {}),
  };
}

/** Describes an error in one line, for readers outside of the log: without values, card numbers or credentials. */
export function describeFailure(error: unknown): string {
  const { type, code, message } = describeError(error);
  const name = typeof code === 'string' ? `${type} ${code}` : type;
  return message === undefined ? name : `${name}: ${hideCredentials(message)}`.slice(0, 500);
}

/** Removes credentials: those before the host of a URL, after Bearer, and after the prefix of a key. */
function hideCredentials(text: string): string {
  return text
    .replace(/(\w+:\/\/)[^\s/@]+@/g, '$1')
    .replace(/\b(Bearer )\S+/gi, '$1[token]')
    .replace(/\b(opk|pdk|sk|rk|pk|whsec)_\w[\w+/=-]*/g, '$1_[key]');
}

/**
 * Whether the message quotes a value: in errors of PostgreSQL's class 22 ("invalid input syntax for type uuid: …") and
 * of parsers.
 */
function quotesValues(error: Error): boolean {
  return error instanceof SyntaxError || ('code' in error && /^22/.test(String(error.code)));
}

function isStackFrame(line: string): boolean {
  return /^ +at /.test(line);
}
