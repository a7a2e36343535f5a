/** What customers and their banks do in a storm. */
import { pick, type Random } from '../chaos.ts';
import type { Seen } from '../processes.ts';
import { addSource, type Charge, prepareCharge, type World } from '../world.ts';
import { act, answerBank, letExpire, untilEnded } from './waiting.world.ts';

export const CUSTOMER_ACTS = ['answer the bank', 'end the debits', 'let expire', 'another card', 'void'] as const;
export type CustomerAct = (typeof CUSTOMER_ACTS)[number];

/** Creates a charge of each source whose payments wait; none where no payment does. */
export async function prepareWaitingCharges(world: World): Promise<Charge[]> {
  if (world.adapter.answerBank === undefined) return [];
  return [
    await prepareCharge(world, 'asks'),
    await prepareCharge(world, 'asks and refuses'),
    await prepareCharge(world, 'a debit that settles'),
    await prepareCharge(world, 'a debit that comes back'),
  ];
}

/** Does this, if the processes and the gateway are there. `secrets` keeps all that answered the bank, so that answers come again. */
export async function actAsCustomer(
  world: World,
  random: Random,
  name: CustomerAct,
  { charge, secrets }: { charge: Charge; secrets: Set<string> },
): Promise<void> {
  const by = pick(random, world.apis);
  const outcome = pick(random, ['succeed', 'succeed', 'fail'] as const);
  switch (name) {
    case 'answer the bank': {
      for (const secret of await secretsOf(world, charge)) secrets.add(secret);
      const clientSecret = pick(random, [...secrets]);
      if (clientSecret !== undefined) await answerBank(world, { clientSecret }, outcome).catch(ignore);
      return;
    }
    case 'end the debits':
      return world.gateway.control.endDelays();
    case 'let expire':
      return letExpire(world, charge);
    case 'another card':
      return addSource(world, charge.token, 'pays').catch(ignore);
    default:
      await act(world, by, 'void', charge);
  }
}

/** Ends what waits: the debits, and the confirmations, some of which never come. */
export async function endWaiting(world: World, random: Random, charge: Charge): Promise<void> {
  for (const clientSecret of await secretsOf(world, charge)) {
    if (random() < 0.5) await letExpire(world, charge);
    else await answerBank(world, { clientSecret });
  }
  await world.gateway.control.endDelays();
  await untilEnded(world, charge);
}

/** Whether a pay after the storm may be answered so: the invoice is void, or its payment waits. */
export function isWaitingEnd({ status, body }: Seen): boolean {
  return status === 202 || body.error?.code === 'authentication_required' || body.error?.code === 'invoice_voided';
}

async function secretsOf({ owner }: World, { invoiceId }: Charge): Promise<string[]> {
  const rows = await owner<{ secret: string }[]>`
    SELECT action->>'clientSecret' AS secret FROM payments WHERE invoice_id = ${invoiceId} AND state = 'requires_action'`;
  return rows.map(({ secret }) => secret);
}

/** The process or the gateway was away. */
function ignore(): void {}
