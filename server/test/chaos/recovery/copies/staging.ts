/** A copy of the database is served elsewhere, such as for tests, with the live key of the gateway. */
import { api, type Charge, expectSound, makeDue, pay, prepareInvoice, raise, until, type World } from '../../world.ts';
import { payInVictim } from '../go-back.ts';
import { openStepOf, type Plan } from '../plan.ts';
import { beginStory, type Story, settlePaid } from '../story.ts';
import { takeCopy, untilCharges } from './copies.ts';

const PASSES = 2;

/** The copy touches nothing that the original has at the gateway, and the original goes on as if it were not there. */
export async function serveStagingCopy(world: World, plan: Plan, at: (what: string) => void): Promise<void> {
  const story = await beginStory(world, plan);
  const [known, unknown] = [await prepareInvoice(world, story.hasty), await prepareInvoice(world, story.hasty)];
  for (const { signal } of world.apis) signal('SIGSTOP');
  await payInVictim(story, known, openStepOf(plan));
  at('the copy is taken');
  const serve = await takeCopy({ ...world, apis: [] });
  await payInVictim(story, unknown, 'after_sending');
  const before = await readGateway(world);
  at('the copy is served');
  // The hold of a copy that lacks nothing yet ends by itself after the gateway's lag. It has to outlast the copy.
  const copy = await serve('apart', { GATEWAY_LAG_SECONDS: '3600' });
  try {
    await untilCharges(api(copy), 'held', 'the copy holds charges');
    await useCopy(story, copy, [known, unknown, ...story.open]);
    const after = await readGateway(world);
    if (after !== before) raise(`the copy has touched the gateway: before ${before}, after ${after}`);
  } finally {
    await copy.undo.disposeAsync();
  }
  at('the original goes on');
  for (const { signal } of world.apis) signal('SIGCONT');
  for (const charge of [known, unknown, ...story.open]) await settlePaid(story, charge);
  const { body } = await api(world).send('GET', '/readyz');
  if (body.charges !== 'on') raise(`the original holds charges: ${body.reason}`);
  await expectSound(world);
}

/** What the gateway has of charges and refunds, and how often it was asked to change something. */
async function readGateway({ gateway }: World): Promise<string> {
  const { calls } = await gateway.control.readFaults();
  const { payments, captures, refunds } = await gateway.control.readLedger();
  const { create, confirm, cancel, refund } = calls;
  return JSON.stringify({ payments, captures, refunds, create, confirm, cancel, refund }, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** Somebody tries what can be tried in a copy: charges, refunds, the automatic collection, deleted cards. */
async function useCopy({ paid, buyer }: Story, copy: World, charges: readonly Charge[]): Promise<void> {
  for (const charge of charges) {
    const { status } = await pay(copy, api(copy), charge);
    if (status !== 503) raise(`a pay in the copy was answered with ${status}`);
  }
  const [first] = paid;
  const refund = { token: copy.operatorKey, body: { amount: '1.00', reason: 'Test' } };
  const { status } = await api(copy).send('POST', `/operator/payments/${first?.paymentId}/refunds`, refund);
  if (status !== 503) raise(`a refund in the copy was answered with ${status}`);
  const settings = { token: copy.operatorKey, body: { collection: 'automatic', netDays: 0 } };
  await api(copy).send('PUT', `/operator/companies/${buyer.companyId}/billing-settings`, settings);
  await deleteSources(copy, buyer.token);
  for (const charge of charges) await makeDue(copy, charge);
  const passes = new Set<number>();
  await until(async () => {
    await copy.owner`UPDATE cards SET detach_at = now() WHERE detach_at IS NOT NULL`;
    await copy.owner`UPDATE paypal_accounts SET detach_at = now() WHERE detach_at IS NOT NULL`;
    const [hold] = await copy.owner<
      { at: Date | null }[]
    >`SELECT last_pass_at AS at FROM charges_holds WHERE ended_at IS NULL`;
    if (hold?.at) passes.add(hold.at.getTime());
    return passes.size > PASSES;
  }, 'the copy was compared some times');
}

async function deleteSources(copy: World, token: string): Promise<void> {
  for (const path of ['/payments/cards', '/payments/paypal-accounts']) {
    const { body } = await api(copy).send('GET', path, { token });
    for (const { id } of body.data ?? body) {
      const { status } = await api(copy).send('DELETE', `${path}/${id}`, { token });
      if (status !== 204) raise(`the deletion of a card in the copy was answered with ${status}`);
    }
  }
}
