/** Cells in which a process is killed while it cancels a payment that waits for its customer, because something goes on without it. */
import type { WAITING_FAILPOINTS } from '../../../src/platform/failpoints.ts';
import type { Cell } from '../chaos.ts';
import type { ApiProcess } from '../processes.ts';
import { addSource, api, type Charge, makeDue, paymentsOf, raise, until, type World } from '../world.ts';
import { placeOf } from './kills.ts';
import {
  ACTS,
  type Act,
  act,
  answerBank,
  dieAlone,
  expectCode,
  expectDone,
  expectPaid,
  expectState,
  holdNext,
  prepareWaiting,
  untilEnded,
  type Waiting,
} from './waiting.world.ts';

type Failpoint = (typeof WAITING_FAILPOINTS)[number];
/** The failpoints of a cancellation, in its order, with the state that they leave. */
const CANCEL_KILLS = {
  before_waiting_cancel: 'requires_action',
  after_waiting_cancel: 'requires_action',
  before_fail_commit: 'requires_action',
  after_fail: 'failed',
} as const satisfies Partial<Record<Failpoint, string>>;
type CancelFailpoint = keyof typeof CANCEL_KILLS;

const NAMES = Object.keys(ACTS) as Act[];

async function killActor(world: World, name: Act, failpoint: CancelFailpoint): Promise<Waiting> {
  const waiting = await prepareWaiting(world);
  await ACTS[name].prepare(world, waiting);
  const victim = await world.startApi({ failpoint });
  const broken = await act(world, victim, name, waiting);
  if (broken.status !== 0) raise(`${failpoint} was not reached: ${JSON.stringify(broken)}`);
  await victim.ended;
  await expectState(world, waiting, CANCEL_KILLS[failpoint]);
  return waiting;
}

/** The client repeats its request. The customer, who comes later, finds nothing to confirm. */
async function repeatAct(world: World, name: Act, failpoint: CancelFailpoint): Promise<void> {
  const waiting = await killActor(world, name, failpoint);
  await expectDone(world, name, waiting, await act(world, api(world), name, waiting));
  if (await answerBank(world, waiting)) raise('it was confirmed after it was canceled');
}

/** The customer confirms before the client repeats its request, which is judged on the paid invoice. */
async function confirmFirst(world: World, name: Act): Promise<void> {
  const waiting = await killActor(world, name, 'before_waiting_cancel');
  if (!(await answerBank(world, waiting))) raise('there was nothing to confirm');
  await expectJudged(world, name, waiting, () => act(world, api(world), name, waiting));
}

/** The customer confirms while the request to cancel is on its way. */
async function confirmDuring(world: World, name: Act): Promise<void> {
  const waiting = await prepareWaiting(world);
  await ACTS[name].prepare(world, waiting);
  const arrived = await holdNext(world, 'cancel');
  await expectJudged(world, name, waiting, async () => {
    const acting = act(world, api(world), name, waiting);
    await until(arrived, 'the gateway was asked to cancel');
    if (!(await answerBank(world, waiting))) raise('there was nothing to confirm');
    await world.gateway.control.endDelays();
    return acting;
  });
}

/** Throws unless the act finds that the payment was captured, and the invoice is paid with it. */
async function expectJudged(
  world: World,
  name: Act,
  waiting: Waiting,
  perform: () => ReturnType<typeof act>,
): Promise<void> {
  const answer = await perform();
  if (name === 'void') expectCode(answer, 409, 'invoice_paid');
  else if (answer.status !== ACTS[name].status) raise(`the ${name} was answered with ${JSON.stringify(answer)}`);
  await expectState(world, waiting, 'captured');
  await expectPaid(world, api(world), waiting, waiting.paymentId);
}

/** Nobody repeats the request. The next look finds the object canceled. */
async function repeatNothing(world: World, failpoint: CancelFailpoint): Promise<void> {
  const waiting = await killActor(world, 'void', failpoint);
  await makeDue(world, waiting);
  await untilEnded(world, waiting);
  await expectState(world, waiting, 'failed');
  const [invoice] = await world.owner<{ status: string; isVoid: boolean }[]>`
    SELECT status, voided_at IS NOT NULL AS "isVoid" FROM invoices WHERE id = ${waiting.invoiceId}`;
  if (invoice?.status !== 'Failed' || invoice.isVoid) raise(`the invoice is ${JSON.stringify(invoice)}`);
}

/** Kills the worker of the collection that charges another card in place of a payment that waits. Another one charges it once. */
async function killCollection(world: World, failpoint: CancelFailpoint): Promise<void> {
  const waiting = await prepareWaiting(world);
  const path = `/operator/companies/${waiting.companyId}/billing-settings`;
  await api(world).send('PUT', path, { token: world.operatorKey, body: { collection: 'automatic' } });
  await addSource(world, waiting.token, 'pays');
  const victim = await world.startApi({ failpoint });
  await dieAlone(world, victim, () => makeDefault(world, victim, waiting));
  await untilCollected(world, waiting);
  const payments = await paymentsOf(world, waiting);
  if (payments.map(({ state }) => state).join() !== 'failed,captured') raise(JSON.stringify(payments));
  if (await answerBank(world, waiting)) raise('it was confirmed after it was canceled');
}

/** The new card was only saved. As the default it is charged in place of the other one. */
async function makeDefault(world: World, by: ApiProcess, { companyId, token }: Charge): Promise<void> {
  const [card] = await world.owner<{ id: string }[]>`
    SELECT id FROM cards WHERE company_id = ${companyId} ORDER BY created_at DESC LIMIT 1`;
  const info = { expMonth: 11, expYear: new Date().getUTCFullYear() + 5 };
  const { status } = await by.send('PUT', `/payments/cards/${card?.id}`, { token, body: { isDefault: true, info } });
  // The worker may die before the answer is sent.
  if (status !== 200 && status !== 0) raise(`the card was answered with ${status}`);
}

/** Waits until the collection is closed, and frees what the dead worker has claimed. */
async function untilCollected(world: World, { invoiceId }: Charge): Promise<void> {
  await until(async () => {
    const [row] = await world.owner<{ state: string }[]>`
      UPDATE collections SET leased_until = CASE WHEN lease IS NOT NULL THEN now() END WHERE invoice_id = ${invoiceId} RETURNING state`;
    return row?.state === 'closed';
  }, 'the collection is closed');
}

/** Every kill of a process that cancels a payment, and confirmations that come meanwhile. */
export function waitingActCells(): Cell[] {
  const failpoints = Object.keys(CANCEL_KILLS) as CancelFailpoint[];
  const at = (
    actor: string,
    of: readonly CancelFailpoint[],
    run: (world: World, failpoint: CancelFailpoint) => Promise<void>,
  ) =>
    of.map((failpoint): Cell => {
      const [where, step] = placeOf(failpoint);
      const fault = `kill -9 of the ${actor}, ${where}`;
      return { fault, step: `confirmation ${step}`, run: (world) => run(world, failpoint) };
    });
  return [
    ...NAMES.flatMap((name) =>
      at(`API (${name})`, failpoints, (world, failpoint) => repeatAct(world, name, failpoint)),
    ),
    ...at('API (void, not repeated)', ['after_waiting_cancel', 'before_fail_commit'], repeatNothing),
    ...at('worker (another card)', failpoints, killCollection),
    ...NAMES.flatMap((name): Cell[] => [
      {
        ...{ fault: `kill -9 of the API (${name}), then confirmed, before`, step: 'confirmation cancel' },
        run: (world) => confirmFirst(world, name),
      },
      {
        ...{ fault: `confirmed during a ${name}`, step: 'confirmation cancel' },
        run: (world) => confirmDuring(world, name),
      },
    ]),
  ];
}
