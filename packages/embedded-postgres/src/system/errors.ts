/**
 * What the caller can do about an error:
 * - `in_use`: end the process that uses the directory, whose id is in the message.
 * - `directory_unusable`: choose another data directory, or repair this one.
 * - `data_missing`: restore what was removed from the data directory.
 * - `cannot_run`: use another PostgreSQL, because these binaries or this machine's accounts can't run it.
 * - `start_failed`: read the end of the server's log, which is in the message.
 */
export type EmbeddedPostgresErrorCode =
  | 'in_use'
  | 'directory_unusable'
  | 'data_missing'
  | 'cannot_run'
  | 'start_failed';

/**
 * Why the server can't start. The message consists of whole sentences for the person who starts it, and names files.
 */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error of the file system or of a system call has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Describes an error for a log line or for the message of another error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
