/** The old primary lives on beside the restored database, and clients reach both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '../../chaos.ts';
import { api, type Charge, expectSound, pay, raise, recover, type World } from '../../world.ts';
import { prepareUsage, recoverAllRefunds } from '../acts.ts';
import { adoptAll } from '../command.ts';
import { work } from '../go-back.ts';
import { expectNumbers } from '../judge.ts';
import { decideAll, resolveReviews } from '../person.ts';
import type { Plan } from '../plan.ts';
import { beginStory, issue, type Story, settlePaid } from '../story.ts';
import { createParties } from '../waits/lingering.ts';
import { takeCopy, untilCharges } from './copies.ts';

const ROUND_MS = 200;

/** Nothing is captured twice. What both did is in the one that is brought together, and the other one holds charges ever after. */
export async function serveTwoPrimaries(
  world: World,
  plan: Plan,
  { at, aliveMs }: { at: (what: string) => void; aliveMs: number },
): Promise<void> {
  const story = await beginStory(world, plan);
  await prepareUsage(story);
  await createParties(story);
  at('the backup');
  const serve = await takeCopy(world);
  await work(story, at);
  await recoverAllRefunds(story);
  at('the restored one starts');
  const restored = await serve(plan.journals);
  try {
    await untilCharges(api(restored), 'held', 'the restored database holds charges');
    at('both are alive');
    await payEverywhere(story, restored, aliveMs);
    for (const one of world.apis) one.signal('SIGKILL');
    at('bringing together');
    await bringTogether({ ...story, world: restored });
    at('the old primary starts again');
    await settlePaid({ ...story, world: restored }, await issue({ ...story, world: restored }, story.buyer));
    const old = await world.startApi();
    await untilCharges(old, 'held', 'the old primary holds charges');
    await old.stop();
    at('afterwards');
    await expectSound({ ...restored, steps: world.steps });
    await expectNumbers({ ...story, world: restored });
  } finally {
    await restored.undo.disposeAsync();
  }
}

/** Clients pay the same invoices, and new ones, through both. */
async function payEverywhere(story: Story, restored: World, aliveMs: number): Promise<void> {
  const { world, random } = story;
  const endMs = performance.now() + aliveMs;
  const charges: Charge[] = [...story.open, ...story.paid.slice(-2)];
  while (performance.now() < endMs) {
    if (random() < 0.3) charges.push(...(await issueUnlessHeld(story)));
    const charge = pick(random, charges);
    await Promise.all([pay(world, api(world), charge), pay(restored, api(restored), charge)]);
    await sleep(ROUND_MS);
  }
  for (const charge of charges) await recover(world, charge);
}

/** A process that meets marks of the other one holds charges, and issues nothing. */
async function issueUnlessHeld(story: Story): Promise<Charge[]> {
  const { body } = await api(story.world).send('GET', '/readyz');
  if (body.charges === 'held') return [];
  return issue(story, story.buyer).then(
    (charge) => [charge],
    (error: Error) => (error.message.includes('charges_held') ? [] : raise(error.message)),
  );
}

/** What the old primary has done is in the books of the restored one. */
async function bringTogether(story: Story): Promise<void> {
  const { world } = story;
  await adoptAll(world, ['--adopt', '--yes', '--json']);
  await decideAll(story);
  await untilCharges(api(world), 'on', 'R6 the hold has ended');
  await resolveReviews(world);
  for (const charge of [...story.open, ...story.paid]) await recover(world, charge);
}
