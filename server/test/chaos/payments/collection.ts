/** Cells of the automatic collection, in which the worker that makes an attempt is killed. */
import type { AnyFailpoint } from '../../../src/platform/failpoints.ts';
import type { Cell } from '../chaos.ts';
import type { ChaosGateway } from '../gateways/stand-ins.ts';
import { settleDebit } from '../waiting/kills.ts';
import { becomeWaiting, expectConfirmable } from '../waiting/waiting.world.ts';
import { api, type Charge, pay, paymentsOf, prepareCharge, raise, recover, until, type World } from '../world.ts';

const FAULT = 'kill -9 of the worker, before';
type Kill = { step: string; failpoint: AnyFailpoint };

/** The failpoints that a worker passes between its claim and the record of the attempt, and after it. */
export const COLLECTION_KILLS: Kill[] = [
  { step: 'collection T1', failpoint: 'before_collection_attempt' },
  { step: 'collection G1', failpoint: 'after_intent' },
  { step: 'collection G2', failpoint: 'after_sending' },
  { step: 'collection T3', failpoint: 'after_confirm' },
  { step: 'collection note', failpoint: 'before_collection_record' },
  { step: 'collection end', failpoint: 'after_collection_record' },
];

type CollectionSeen = { state: string; attempts: number; isLeased: boolean };

async function collectionOf({ owner }: World, { invoiceId }: Charge): Promise<CollectionSeen> {
  const [row] = await owner<CollectionSeen[]>`
    SELECT state, attempts, lease IS NOT NULL AS "isLeased" FROM collections WHERE invoice_id = ${invoiceId}`;
  return row ?? raise('the invoice is not collected');
}

/** How an attempt leaves the collection. Only declined ones are counted. */
const ENDS = {
  pays: { payment: 'captured', state: 'closed', attempts: 0 },
  refuses: { payment: 'failed', state: 'scheduled', attempts: 1 },
  asks: { payment: 'requires_action', state: 'awaiting_confirmation', attempts: 0 },
  'a debit that settles': { payment: 'processing', state: 'awaiting_outcome', attempts: 0 },
};
type Source = keyof typeof ENDS;

/** Kills the worker during an attempt. After its claim has expired, another worker makes the attempt or records its outcome. */
async function killWorker(world: World, { failpoint }: Kill, source: Source): Promise<void> {
  const charge = await prepareCharge(world, source);
  const victim = await world.startApi({ failpoint });
  for (const other of world.apis) other.signal('SIGSTOP');
  try {
    // The invoice is already due, so it is collected from now on. Only one process is awake.
    const path = `/operator/companies/${charge.companyId}/billing-settings`;
    await victim.send('PUT', path, { token: world.operatorKey, body: { collection: 'automatic' } });
    await victim.ended;
  } finally {
    for (const other of world.apis) other.signal('SIGCONT');
  }
  const end = ENDS[source];
  const isRecorded = failpoint === 'after_collection_record';
  // Once a payment waits, its collection does.
  const waits = failpoint === 'before_collection_record' && end.state.startsWith('awaiting');
  const left = await collectionOf(world, charge);
  const expected =
    isRecorded || waits ? { state: end.state, attempts: end.attempts } : { state: 'scheduled', attempts: 0 };
  if (JSON.stringify(left) !== JSON.stringify({ ...expected, isLeased: !isRecorded }))
    raise(`${failpoint} left ${JSON.stringify(left)}`);

  await recover(world, charge);
  await until(async () => {
    await world.owner`
      UPDATE collections SET leased_until = now() WHERE invoice_id = ${charge.invoiceId} AND lease IS NOT NULL`;
    await recover(world, charge);
    const { state, attempts, isLeased } = await collectionOf(world, charge);
    return state === end.state && attempts === end.attempts && !isLeased;
  }, `the collection is ${end.state}`);
  const payments = await paymentsOf(world, charge);
  if (payments.map(({ state }) => state).join() !== end.payment) raise(`the payments are ${JSON.stringify(payments)}`);
  if (source === 'asks')
    await expectConfirmable(
      world,
      api(world),
      await becomeWaiting(world, charge, await pay(world, api(world), charge)),
    );
  if (source === 'a debit that settles') await settleDebit(world, charge);
  if (!end.state.startsWith('awaiting')) return;
  await until(async () => (await collectionOf(world, charge)).state === 'closed', 'the collection is closed');
}

/** Every kill of a worker, with a source that pays, one that is declined, and those whose payments wait. */
export function collectionCells({ answerBank }: ChaosGateway): Cell[] {
  const names: Partial<Record<Source, string>> = {
    ...{ pays: FAULT, refuses: `${FAULT}, of a source that is refused` },
    ...(answerBank === undefined
      ? {}
      : { asks: `${FAULT}, of a card whose bank asks`, 'a debit that settles': `${FAULT}, of a debit` }),
  };
  return COLLECTION_KILLS.flatMap((kill) =>
    (Object.entries(names) as [Source, string][]).map(([source, fault]) => ({
      ...{ fault, step: kill.step },
      run: (world: World) => killWorker(world, kill, source),
    })),
  );
}
