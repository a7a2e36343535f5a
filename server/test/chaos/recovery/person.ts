/** Who decides what `reconcile --adopt` leaves to a person, as docs/restore.md says. */
import { api, raise, signUp, type World } from '../world.ts';
import { adoptAll, describe, reconcile } from './command.ts';
import type { Story } from './story.ts';

export type LeftCase = {
  id: string;
  source: 'gateway' | 'journal';
  kind: string;
  companyId: string | null;
  invoiceId: string | null;
  gatewayObjectId: string | null;
  note: string | null;
  acknowledgedAt: string | null;
};

const MOST_ROUNDS = 5;

/** Deals with every case. @returns all that there were */
export async function decideAll(story: Story): Promise<LeftCase[]> {
  const { world } = story;
  const seen = new Map<string, LeftCase>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = await listLeft(world);
    if (left.length === 0) return [...seen.values()];
    for (const one of left) seen.set(one.id, one);
    await bookLostCompanies(story, left);
    for (const one of await listLeft(world)) await refundCapture(world, one);
    await acknowledgeAll(world);
  }
  return raise(`these cases are left: ${JSON.stringify(await listLeft(world))}`);
}

/** Cases for a person whose alert nobody has acknowledged. */
async function listLeft(world: World): Promise<LeftCase[]> {
  const path = '/operator/recovery/cases?state=person&perPage=1000';
  const { body } = await api(world).send('GET', path, { token: world.operatorKey });
  return body.data.filter((one: LeftCase) => one.acknowledgedAt === null && one.kind !== 'open_invoices');
}

/** A company that has signed up again gets what it had. */
async function bookLostCompanies(story: Story, left: readonly LeftCase[]): Promise<void> {
  const { world, plan, late } = story;
  if (plan.lostCompany === 'is refunded') return;
  const lost = late.filter(({ companyId }) => left.some((one) => one.companyId === companyId));
  if (lost.length === 0) return;
  const words = ['--adopt', '--yes', '--json'];
  for (const { companyId } of lost) {
    const { companyId: newId } = await signUp(world);
    words.push('--company', `${companyId}=${newId}`);
  }
  await adoptAll(world, words);
}

/** A payment that is under review is resolved, and a capture that no invoice gets is refunded. */
async function refundCapture(world: World, { source, kind, gatewayObjectId }: LeftCase): Promise<void> {
  if (source !== 'gateway' || kind !== 'payment' || gatewayObjectId === null) return;
  const [payment] = await world.owner<{ id: string }[]>`
    SELECT id FROM payments WHERE gateway_payment_id = ${gatewayObjectId} AND state = 'needs_review'`;
  if (payment !== undefined) return;
  const told = await reconcile(world, '--adopt', '--refund', gatewayObjectId);
  if (told.code !== 0) raise(`the refund of ${gatewayObjectId} ended with ${describe(told)}`);
}

async function acknowledgeAll(world: World): Promise<void> {
  const path = '/operator/alerts?kind=recovery_review&perPage=1000';
  const { body } = await api(world).send('GET', path, { token: world.operatorKey });
  for (const { id, acknowledgedAt } of body.data) {
    if (acknowledgedAt !== null) continue;
    const answer = await api(world).send('POST', `/operator/alerts/${id}/acknowledge`, { token: world.operatorKey });
    if (answer.status !== 200) raise(`an alert is acknowledged with ${answer.status}`);
  }
}

/** What was voided and is open again, because only a lost journal knew it, is voided once more. */
export async function voidAgain({ world, voided }: Story): Promise<void> {
  const open = await world.owner<{ id: string }[]>`
    SELECT id FROM invoices
    WHERE id::text IN (SELECT json_array_elements_text(${JSON.stringify(voided)}::text::json)) AND voided_at IS NULL`;
  for (const { id } of open) {
    const { status } = await api(world).send('POST', `/operator/invoices/${id}/void`, { token: world.operatorKey });
    if (status !== 200) raise(`the void of ${id} was answered with ${status}`);
  }
}

/** Captures that wait for a review are refunded. */
export async function resolveReviews(world: World): Promise<void> {
  const payments = await world.owner<{ id: string }[]>`SELECT id FROM payments WHERE state = 'needs_review'`;
  for (const { id } of payments) {
    const options = { token: world.operatorKey, body: { outcome: 'refunded' } };
    const { status, body } = await api(world).send('POST', `/operator/payments/${id}/resolve`, options);
    if (status !== 200) raise(`the review of ${id} was answered with ${status} ${JSON.stringify(body)}`);
  }
}
