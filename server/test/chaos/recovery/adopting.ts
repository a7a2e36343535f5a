/** The books are brought together, whatever dies meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { api, raise, until, type World } from '../world.ts';
import { adoptAll, describe, reconcile, startCommand } from './command.ts';
import { movedFrom } from './go-back.ts';
import { isWhole, readBooksOf } from './judge.ts';
import type { Story } from './story.ts';

const POLL_MS = 10;
const OUTAGE_CALLS = 3;

/** The command only tells: nothing in the books changes. */
export async function tell({ world }: Story): Promise<void> {
  const before = await readBooksOf(world);
  const told = await adoptAll(world, ['--adopt', '--json']);
  if (told.code !== 1) raise(`telling ended with ${describe(told)}`);
  if ((await readBooksOf(world)) !== before) raise('telling has changed the books');
}

/** Brings the books together. Something is killed meanwhile, if the plan says so. Repeated, it decides nothing more. */
export async function bringTogether(story: Story, check: () => Promise<void>): Promise<void> {
  const { world, plan } = story;
  const words = ['--adopt', '--yes', '--json'];
  if (plan.journal !== 'kept') await refuseWithoutJournal(story);
  if (plan.journal === 'moved') words.push('--journal', movedFrom(world));
  if (!isWhole(story)) words.push('--journal-lost');
  if (plan.outage) await world.gateway.control.armFault({ operation: 'any', kind: 'outage', times: OUTAGE_CALLS });
  await dieOnce(story, words);
  await check();
  await adoptAll(world, words);
  await check();
  // What is captured late is a case of its own.
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  await adoptAll(world, words);
  await check();
  const { decided } = JSON.parse((await adoptAll(world, words)).stdout);
  if (decided.length > 0) raise(`repeated, it decides ${JSON.stringify(decided)}`);
}

async function refuseWithoutJournal({ world, plan }: Story): Promise<void> {
  const refused = await reconcile(world, '--adopt', '--yes');
  const why = plan.journal === 'restored' ? 'A journal went back with the database' : 'These journals were not read';
  const isRefused = refused.code === 2 && refused.stderr.includes(why);
  if (!isRefused) raise(`without the journal it ended with ${describe(refused)}`);
}

async function dieOnce({ world, plan: { death } }: Story, words: string[]): Promise<void> {
  if (death.of === 'nothing') return;
  if (death.of === 'the first case') await replaceFirst(world, { failpoint: 'before_adopt_commit' });
  const command = startCommand(world, words);
  if (death.of !== 'the first case') {
    const state = { isOver: false };
    command.ended.then(() => {
      state.isOver = true;
    });
    while (!state.isOver && (await countDecided(world)) < death.afterCases) await sleep(POLL_MS);
    if (death.of === 'the command') command.kill();
    else api(world).signal('SIGKILL');
  }
  await command.ended;
  if (death.of !== 'the command') await replaceFirst(world);
}

/** Starts another process in place of the first one, which may be dead. */
async function replaceFirst(world: World, options: Parameters<World['startApi']>[0] = {}): Promise<void> {
  api(world).signal('SIGKILL');
  await api(world).ended;
  world.apis[0] = await world.startApi(options);
}

async function countDecided({ second }: World): Promise<number> {
  const [row] = await second<[{ count: number }]>`
    SELECT count(*)::int AS count FROM recovery_cases WHERE state <> 'open'`;
  return row.count;
}
