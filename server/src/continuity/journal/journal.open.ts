import type { Logger } from 'pino';
import { ApiError } from '../../platform/errors.ts';
import type { JournalFiles } from './journal.files.ts';
import { DamagedIdentityError, ForeignJournalError } from './journal.identity.ts';

const RETRY_AFTER_SECONDS = 60;

/** Opens once; after a failure the next call tries again. */
export function openLater(open: () => Promise<JournalFiles>) {
  let files: JournalFiles | null = null;
  let opening: Promise<JournalFiles> | null = null;
  const get = async () => {
    opening ??= open();
    try {
      files = await opening;
      return files;
    } catch (error) {
      opening = null;
      throw error;
    }
  };
  const close = async () => {
    const closing = files;
    [files, opening] = [null, null];
    await closing?.close();
  };
  return { current: () => files, get, close };
}

type Reporting = {
  directory: string;
  logger: Pick<Logger, 'info' | 'error'>;
  onProblem: (reason: string | null) => void;
};

export type WithFiles = <T>(work: (files: JournalFiles) => Promise<T>) => Promise<T>;

/** Tells when the files begin to fail, and when they work again. A folder that was deleted or replaced is opened anew the next time. */
export function reporting(
  { directory, logger, onProblem }: Reporting,
  opened: ReturnType<typeof openLater>,
): WithFiles {
  let hasProblem = false;
  return async (work) => {
    const result = await opened
      .get()
      .then(work)
      .catch(async (error: unknown) => {
        if (error instanceof JournalGoneError) await opened.close();
        const reason = `The journal cannot be written: ${describe(error)}.`;
        if (!hasProblem) logger.error({ err: error, directory }, 'the journal cannot be written');
        hasProblem = true;
        onProblem(reason);
        throw new ApiError('charges_held', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
      });
    if (hasProblem) {
      hasProblem = false;
      logger.info({ directory }, 'the journal can be written again');
      onProblem(null);
    }
    return result;
  };
}

/** The folder was deleted or replaced. */
export class JournalGoneError extends Error {
  override name = 'JournalGoneError';
}

function describe(error: unknown): string {
  const named = [JournalGoneError, ForeignJournalError, DamagedIdentityError];
  if (error instanceof Error && named.some((known) => error instanceof known)) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
