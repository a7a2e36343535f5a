/** What is done after the backup by companies whose bank asks, or that pay by direct debit, and is lost when the database goes back. */
import { addSource, api, type Charge, pay, raise } from '../../world.ts';
import { issue, type Party, request, type Story, type WaitingParties } from '../story.ts';
import { settleWaiting } from './banks.ts';
import type { WaitingActName } from './draw.ts';

const EURO = { details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }] };

/** Issues an invoice that a debit can pay. */
export const issueInEuro = (story: Story, party: Party): Promise<Charge> => issue(story, party, EURO);

function partiesOf({ waits }: Story): WaitingParties {
  return waits ?? raise('nobody waits in this story');
}

/** An invoice whose payment waits for the customer. */
async function wait(story: Story): Promise<Charge> {
  const charge = await issue(story, partiesOf(story).asked);
  await pay(story.world, api(story.world), charge);
  return charge;
}

async function payWithOtherCard(story: Story): Promise<void> {
  const { world } = story;
  const charge = await wait(story);
  await addSource(world, charge.token, 'pays');
  if ((await settleWaiting(story, charge)) !== 200) raise('another card did not pay what waited');
  await addSource(world, charge.token, 'asks');
}

async function voidWaiting(story: Story): Promise<void> {
  const { invoiceId } = await wait(story);
  await request(story, `/operator/invoices/${invoiceId}/void`, {});
  story.voided.push(invoiceId);
}

/** What may happen, in any order. */
export const ACTS_OF_WAITING: Record<WaitingActName, (story: Story) => Promise<unknown>> = {
  'be asked and confirm': async (story) => settleWaiting(story, await wait(story)),
  'be asked and refuse': async (story) => settleWaiting(story, await wait(story), 'fail'),
  'be asked and pay with another card': payWithOtherCard,
  'be asked for an invoice that is voided': voidWaiting,
  'pay by a debit': async (story) => settleWaiting(story, await issueInEuro(story, partiesOf(story).debtor)),
  'pay by a debit that comes back': async (story) =>
    settleWaiting(story, await issueInEuro(story, partiesOf(story).bouncer)),
};
