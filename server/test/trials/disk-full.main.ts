/**
 * `npm run disk-full -- /mnt/small` tests a full disk. It needs a file system of about 260 MB that is used for nothing else (`mount -t
 * tmpfs -o size=260m tmpfs /mnt/small`). It fills that to the last byte, under load, until PostgreSQL stops because it can't write its log,
 * and then frees the space again. It fails if a read was refused while PostgreSQL ran, if a write got anything but a regular answer or 503,
 * if an acknowledged write is lost, or if the service does not recover by itself.
 */
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus, signUpAdmin } from '../customers/actors.ts';
import { endProcesses, eventually, startPaydesk } from '../harness/process.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';

const MAX_ROOM_BYTES = 400 * 1024 ** 2;
const LANES = 8;
const MAX_SECONDS = 180;

/** How many reads and writes had each status. */
type Seen = { reads: Record<string, number>; writes: Record<string, number> };

const [parentDirectory] = process.argv.slice(2);
if (parentDirectory === undefined) throw new Error('Say where: npm run disk-full -- /mnt/small');
const { bavail, bsize } = statfsSync(parentDirectory);
if (bavail * bsize > MAX_ROOM_BYTES)
  throw new Error(`${parentDirectory} has more than 400 MB: it would all be filled.`);

const directory = mkdtempSync(join(parentDirectory, 'paydesk-'));
// When root runs this, PostgreSQL runs as another user, who must be able to enter.
chmodSync(directory, 0o755);
const ballast = join(directory, 'ballast');
try {
  const paydesk = await startPaydesk({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'fatal' });
  await run(paydesk.service, join(paydesk.dataDirectory, 'postgres.log'));
} finally {
  await endProcesses();
  rmSync(directory, { recursive: true, force: true });
}

async function run(service: TestService, serverLog: string): Promise<void> {
  const { token } = await signUpAdmin(service);
  const first = expectStatus(await save(service, token, 'first'), 201).body.id as string;
  let acknowledgedCount = 1;

  fill();
  const seen: Seen = { reads: {}, writes: {} };
  const hasGivenUp = () => readFileSync(serverLog, 'utf8').includes('PANIC');
  const endsAtMs = performance.now() + MAX_SECONDS * 1_000;
  let count = 0;
  const lane = async () => {
    while (!hasGivenUp() && performance.now() < endsAtMs) {
      const number = ++count;
      if (number % 10 === 0) note(seen.reads, await service.call('GET', '/labels?per_page=1', { token }));
      const written = await save(service, token, `more ${number}`);
      note(seen.writes, written);
      if (written.status === 201) acknowledgedCount += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  check('PostgreSQL went on until there was no room for its log, and gave up', hasGivenUp());
  const whileAway = await service.call('GET', '/healthz');
  check('the service itself lives', whileAway.status === 200);

  rmSync(ballast);
  await eventually(async () => (await save(service, token, `after ${Math.random()}`)).status === 201);
  acknowledgedCount += 1;
  const { total } = expectStatus(await service.call('GET', '/labels?per_page=1', { token }), 200).body;
  expectStatus(await service.call('GET', `/labels/${first}`, { token }), 200);

  const statuses = (of: Record<string, number>) => Object.keys(of).sort().join();
  console.log({ reads: seen.reads, writes: seen.writes, acknowledged: acknowledgedCount, total });
  // Security (Disks, upgrades and restores): A full disk under load loses nothing acknowledged (`npm run disk-full` on a small file
  // system, which it fills to the last byte)
  check('A full disk under load: reads go on, nothing acknowledged is lost', total === acknowledgedCount);
  check('each write was done or answered with 503', ['201,503', '503'].includes(statuses(seen.writes)));
  check('reads went on until PostgreSQL was away', (seen.reads['200'] ?? 0) > 0);
}

/** Fills the disk to the last byte. */
function fill(): void {
  const file = openSync(ballast, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function save(service: TestService, token: string, name: string): Promise<Answer> {
  const body = { name, description: name.padEnd(1_900, '.'), color: '#fff', userName: 'Ada' };
  return service.call('POST', '/labels', { token, body });
}

function note(counts: Record<string, number>, { status }: Answer): void {
  counts[status] = (counts[status] ?? 0) + 1;
}

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}
