/**
 * What the caller can do about an error:
 * - `in_use`: end the process that uses the directory, whose number the message has.
 * - `directory_unusable`: choose another data directory, or mend this one.
 * - `data_missing`: restore what was taken from the data directory.
 * - `cannot_run`: take another PostgreSQL: these binaries, or this machine's accounts, don't do.
 * - `start_failed`: read the end of the server's log, which the message has.
 */
export type EmbeddedPostgresErrorCode =
  | 'in_use'
  | 'directory_unusable'
  | 'data_missing'
  | 'cannot_run'
  | 'start_failed';

/** Why the server can't start here. The message is whole sentences for the person who starts it, and names files. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Tells whether an error of the file system or of a system call has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** What went wrong, as text for a log line or for the message of another error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
