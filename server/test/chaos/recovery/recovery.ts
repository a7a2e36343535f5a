/**
 * One run of a database that goes back: work, a backup, more work, and then the database is put back, noticed, brought together by
 * `reconcile --adopt`, and used again. All that happens is drawn from a seed.
 */
import { type Charge, expectSound, raise, recover, until, type World } from '../world.ts';
import { bill, prepareUsage, recoverAllRefunds, reportUsage } from './acts.ts';
import { bringTogether, tell } from './adopting.ts';
import { reconcile } from './command.ts';
import { serveStagingCopy } from './copies/staging.ts';
import { serveTwoPrimaries } from './copies/two-primaries.ts';
import {
  backUp,
  beginUnderway,
  type Calls,
  countCalls,
  disturb,
  goBack,
  untilHeld,
  untilReleased,
  work,
} from './go-back.ts';
import {
  companiesOf,
  expectAsBefore,
  expectRight,
  expectUsageOnce,
  expectVoidedIsNotCharged,
  isWhole,
  readBooksOf,
  repeatRequests,
} from './judge.ts';
import { decideAll, resolveReviews, voidAgain } from './person.ts';
import { describePlan, type Plan } from './plan.ts';
import { expectProduct, goOnWithProduct, putAgain, readProductBooks, reportAgain } from './products/products.ts';
import { beginStory, issue, type Party, type Story, settle } from './story.ts';
import { settleWaiting } from './waits/banks.ts';
import { createParties, endBefore, endOutside, expectEnded, leaveWaiting } from './waits/lingering.ts';

/** So that a hold outlasts a confirmation that is on its way, and processes notice soon. */
export const SETTINGS = { GATEWAY_LAG_SECONDS: '3', MARKS_CHECK_SECONDS: '1' };

/** Runs a plan in a world of its own. @throws Error that names the seed, and what was done last */
export async function runPlan(world: World, plan: Plan, aliveMs: number): Promise<void> {
  let now = 'the beginning';
  const at = (what: string) => {
    now = what;
  };
  try {
    if (plan.scene === 'two primaries') await serveTwoPrimaries(world, plan, { at, aliveMs });
    else if (plan.scene === 'staging copy') await serveStagingCopy(world, plan, at);
    else await goBackAndOn(world, plan, at);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const what = `seed ${plan.seed} on ${world.adapter.name}, ${now}: ${message}\n${describePlan(plan)}`;
    const logged = world.apis.flatMap(({ failures }) =>
      failures().map((entry) => `  logged: ${JSON.stringify(entry)}`),
    );
    throw new Error([what, ...logged].join('\n'), { cause: error });
  }
}

async function goBackAndOn(world: World, plan: Plan, at: (what: string) => void): Promise<void> {
  const story = await beginStory(world, plan);
  await prepareUsage(story);
  at('the backup');
  await createParties(story);
  const first = await leaveWaiting(story, 'atBackup');
  await backUp(story);
  await endBefore(story, first);
  await work(story, at);
  await recoverAllRefunds(story);
  at('before it goes back');
  // The steps are compared at the end.
  await expectSound({ ...world, steps: { ...world.steps, findDeviations: () => [] } });
  const before = await readBooksOf(world, companiesOf(story));
  const ofProduct = await readProductBooks(story);
  const left = [first, await leaveWaiting(story, 'whenItGoesBack')];
  const underway = await beginUnderway(story);
  at('going back');
  const known = await goBack(story);
  forget(story);
  await disturb(story);
  await untilHeld(story);
  const calls = known ?? (await countCalls(world));
  await endOutside(world, left, 'while charges are held');
  await expectNoCharge(world, calls);
  await putAgain(story);
  at('telling');
  await tell(story);
  if (plan.usage === 'resent' && story.usage.length > 0) await reportUsage(story, story.usage);
  if (plan.usage === 'resent') await reportAgain(story);
  at('bringing together');
  await bringTogether(story, () => expectNoCharge(world, calls));
  at('a person decides');
  const decided = await decideAll(story);
  at('the hold ends');
  await untilReleased(story);
  await underway.paying;
  await endUnderway(story);
  await endOutside(world, left, 'afterwards');
  await expectEnded(story, left);
  if (isWhole(story)) await expectAsBefore(story, before, decided);
  await expectProduct(story, ofProduct, decided);
  at('afterwards');
  await goOn(story);
  await expectRight(story);
  if (world.steps.countDebts() === 0) raise('no steps were compared with the model');
}

/** What clients were told of charges and documents still holds if no journal is lost. Cards and sign-ups are lost with the database. */
function forget(story: Story): void {
  const { world, late } = story;
  const lost = new Set(late.map(({ invoiceId }) => invoiceId));
  world.created.length = 0;
  if (!isWhole(story)) for (const memory of [world.seen, world.seenRefunds]) memory.length = 0;
  else world.seen = world.seen.filter(({ invoiceId }) => !lost.has(invoiceId));
}

/**
 * R5: while charges are held, nothing is created and nothing confirmed, and processes that start hold them before they charge. The hold may
 * have ended by now, which says nothing.
 */
async function expectNoCharge(world: World, before: Calls): Promise<void> {
  const { owner } = world;
  const calls = await countCalls(world);
  const [created, confirmed] = [calls.create - before.create, calls.confirm - before.confirm];
  const holds = await owner`SELECT FROM charges_holds WHERE ended_at IS NULL`;
  if (holds.length > 0 && created + confirmed > 0)
    raise(`R5 under the hold, ${created} objects were created and ${confirmed} confirmed`);
}

/** Waits until what was on its way has arrived, and every charge and refund has ended. */
async function endUnderway(story: Story): Promise<void> {
  const { world } = story;
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  for (const charge of await findCharges(story, ['created', 'sending', 'unknown'])) await recover(world, charge);
  await recoverAllRefunds(story);
}

/** The invoices of the companies of before that have a payment in one of these states. */
async function findCharges(story: Story, states: readonly string[]): Promise<Charge[]> {
  const { world, buyer, poor, hasty } = story;
  const parties = [buyer, poor, hasty, ...waitingOf(story)];
  const rows = await world.owner<{ companyId: string; invoiceId: string }[]>`
    SELECT company_id AS "companyId", invoice_id AS "invoiceId" FROM payments WHERE state IN ${world.owner(states)}`;
  return rows.flatMap(({ companyId, invoiceId }) =>
    parties.filter((party) => party.companyId === companyId).map(({ token }) => ({ token, companyId, invoiceId })),
  );
}

/** Everybody goes on: what a person has to do after the hold, requests that were sent before, and new ones. */
async function goOn(story: Story): Promise<void> {
  const { world, plan, buyer } = story;
  await expectVoidedIsNotCharged(story);
  if (!isWhole(story)) {
    await voidAgain(story);
    await reconcile(world, '--adopt', '--release');
  }
  await resolveReviews(world);
  if (plan.usage === 'resent late' && story.usage.length > 0) await reportUsage(story, story.usage);
  if (plan.usage === 'resent late') await reportAgain(story);
  await bill(story);
  await bill(story, 'late usage');
  await expectUsageOnce(story);
  await goOnWithProduct(story);
  await payOpen(story);
  await repeatRequests(story);
  await recoverAllRefunds(story);
  await settle(story, await issue(story, buyer));
  await payOpen(story);
}

/** The companies that wait. */
function waitingOf({ waits }: Story): Party[] {
  return Object.values(waits ?? {}).flatMap((party) => party ?? []);
}

async function payOpen(story: Story): Promise<void> {
  const { world, buyer, poor, hasty } = story;
  const waiting = waitingOf(story);
  for (const party of [buyer, poor, hasty, ...waiting]) {
    const { token, companyId } = party;
    const open = await world.owner<{ id: string }[]>`
      SELECT id FROM invoices WHERE company_id = ${companyId} AND status <> 'Succeeded' AND voided_at IS NULL ORDER BY id`;
    const pay = waiting.includes(party) ? settleWaiting : settle;
    for (const { id: invoiceId } of open) await pay(story, { token, companyId, invoiceId });
  }
}
