import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the folder for all temporary files of the run, including those of processes that it starts. */
export async function openTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await findPlace(), 'paydesk-test-'));
  // The folder contains PostgreSQL's data. When root runs the tests, PostgreSQL runs as another user, who must be able
  // to enter.
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  return folder;
}

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Chooses a file system in memory if there is one with enough space. The service and the sandbox gateway wait for the disk at each commit,
 * which tests do not need.
 */
async function findPlace(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room >= ROOM_BYTES ? MEMORY : tmpdir();
}
