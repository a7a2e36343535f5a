/** The data directory, by packages/embedded-postgres: its private files, their locks, and the PostgreSQL that comes along. */
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  type EmbeddedPostgresOptions,
  makeDirectory,
  startEmbeddedPostgres as startServer,
} from '../../../packages/embedded-postgres/src/embedded-postgres.ts';
import { StartError } from './config/start-error.ts';

export {
  createPrivateFile,
  type EmbeddedPostgres,
  findServerAccount,
  whileLocked,
  writePrivateFile,
} from '../../../packages/embedded-postgres/src/embedded-postgres.ts';

/** What Paydesk keeps in its data directory beside the database and the files of gateways. */
const FILES = ['keys.json', 'operator-key', 'journal'];

const ADVICE: Partial<Record<EmbeddedPostgresErrorCode, string>> = {
  in_use: 'Stop the other process first, or choose another DATA_DIR.',
  directory_unusable: 'Choose another DATA_DIR.',
  cannot_run: 'Alternatively, set DATABASE_URL to your own PostgreSQL 15 or newer.',
};

/** Starts the embedded PostgreSQL, and makes this process the only one on the data directory until it is stopped. @throws StartError */
export async function startEmbeddedPostgres({
  gatewayFiles = [],
  ...options
}: Omit<EmbeddedPostgresOptions, 'application' | 'applicationFiles'> & {
  gatewayFiles?: readonly string[];
}): Promise<EmbeddedPostgres> {
  return advised(startServer({ application: 'paydesk', applicationFiles: [...FILES, ...gatewayFiles], ...options }));
}

/** Makes the data directory (mode 0700) where it is missing. @throws StartError that says what stands in its place */
export async function makeDataDirectory(directory: string): Promise<void> {
  await advised(makeDirectory(directory));
}

async function advised<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new StartError([error.message, ADVICE[error.code] ?? []].flat().join(' '), { cause: error });
  }
}
