/** Payments that are left waiting when the backup is taken, and when the database goes back. */
import type { SourceAnswer } from '../../gateways/stand-ins.ts';
import { api, type Charge, pay, paymentsOf, raise, recover, type World } from '../../world.ts';
import { isWhole } from '../judge.ts';
import { issue, type Story } from '../story.ts';
import { issueInEuro } from './acts.ts';
import { answerBank, createParty, untilEnded } from './banks.ts';
import { describeLingering, type Lingering } from './draw.ts';

/** A payment that was left waiting. `secret` answers the bank. */
export type Left = Lingering & { charge: Charge; paymentId: string; secret: string; isLost: boolean };

/** Creates the companies of a story that wait, if any. */
export async function createParties(story: Story): Promise<void> {
  const { world, plan } = story;
  const { atBackup, whenItGoesBack, acts } = plan.waits;
  if (atBackup === null && whenItGoesBack === null && acts.length === 0) return;
  const begin = (answer: SourceAnswer) => createParty(world, answer);
  const lingering = async (one: Lingering | null) =>
    one === null ? null : begin(one.kind === 'a customer is asked' ? 'asks' : one.kind);
  story.waits = {
    asked: await begin('asks'),
    debtor: await begin('a debit that settles'),
    bouncer: await begin('a debit that comes back'),
    first: await lingering(atBackup),
    second: await lingering(whenItGoesBack),
  };
}

/** Begins a payment that is left waiting; null for none. */
export async function leaveWaiting(story: Story, which: 'atBackup' | 'whenItGoesBack'): Promise<Left | null> {
  const { world, plan, waits } = story;
  const wanted = plan.waits[which];
  const party = which === 'atBackup' ? waits?.first : waits?.second;
  if (wanted === null || !party) return null;
  const isAsked = wanted.kind === 'a customer is asked';
  const charge = await (isAsked ? issue(story, party) : issueInEuro(story, party));
  await pay(world, api(world), charge);
  await recover(world, charge);
  const [row] = await world.owner<{ id: string; state: string; secret: string | null }[]>`
    SELECT id, state, action ->> 'clientSecret' AS secret FROM payments WHERE invoice_id = ${charge.invoiceId}`;
  const { id = '', state, secret } = row ?? {};
  if (state !== (isAsked ? 'requires_action' : 'processing')) raise(`what is left waiting is ${state}`);
  return { ...wanted, charge, paymentId: id, secret: secret ?? '', isLost: which === 'whenItGoesBack' };
}

/** Ends those whose moment has come, as far as that happens outside: customers answer or are too late, and debits end. */
export async function endOutside(world: World, left: readonly (Left | null)[], moment: Left['ends']): Promise<void> {
  for (const one of left) {
    if (one?.ends !== moment) continue;
    if (one.kind !== 'a customer is asked') await world.gateway.control.endDelays();
    else if (one.customer === 'never comes') await letExpire(world, one);
    else await answer(world, one);
  }
}

async function letExpire({ owner }: World, { paymentId }: Left): Promise<void> {
  await owner`UPDATE payments SET expires_at = now() WHERE id = ${paymentId} AND state = 'requires_action'`;
}

/** R1: once the books are together, nobody can confirm what the database had lost. */
async function answer(world: World, { secret, customer, isLost, ends }: Left): Promise<void> {
  const isAnswered = await answerBank(world, secret, customer === 'confirms' ? 'succeed' : 'fail');
  if (isAnswered === (isLost && ends === 'afterwards')) raise(`the customer’s answer ${ends} was taken: ${isAnswered}`);
}

/** The books have the end before the database goes back. */
export async function endBefore(story: Story, left: Left | null): Promise<void> {
  if (left?.ends !== 'before it goes back') return;
  await endOutside(story.world, [left], left.ends);
  const state = await untilEnded(story.world, left.charge);
  if (state !== (isPaying(left) ? 'captured' : 'failed')) raise(`${describeLingering(left)} is ${state}`);
  if (isPaying(left)) story.paid.push({ ...left.charge, paymentId: left.paymentId, leftMinor: 4_800n });
}

function isPaying({ kind, customer }: Left): boolean {
  return kind === 'a debit that settles' || (kind === 'a customer is asked' && customer === 'confirms');
}

/**
 * Each has ended as the customer or the bank has said, with the id that it had. What the database had lost is canceled if nobody had
 * answered by then; without all journals, a person may have refunded its capture.
 */
export async function expectEnded(story: Story, left: readonly (Left | null)[]): Promise<void> {
  for (const one of left) {
    if (one === null) continue;
    const state = await untilEnded(story.world, one.charge);
    const found = (await paymentsOf(story.world, one.charge)).find(({ id }) => id === one.paymentId);
    const isCanceled = one.isLost && one.kind === 'a customer is asked' && one.ends === 'afterwards';
    const isKept = isPaying(one) && !isCanceled;
    const expected = isKept ? ['captured'] : one.isLost ? ['failed', undefined] : ['failed'];
    if (isKept && !isWhole(story)) expected.push('failed', 'needs_review');
    if (!expected.includes(found?.state))
      raise(
        `${describeLingering(one)}${one.isLost ? ', lost' : ''}: payment ${one.paymentId} is ${found?.state}, the last ${state}`,
      );
  }
}
