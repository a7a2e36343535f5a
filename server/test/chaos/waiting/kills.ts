/** Cells in which a process is killed while a payment begins to wait for its customer or its bank, and when somebody looks how it ended. */
import { type AnyFailpoint, WAITING_FAILPOINTS } from '../../../src/platform/failpoints.ts';
import type { Cell } from '../chaos.ts';
import type { SourceAnswer } from '../gateways/stand-ins.ts';
import { objectsOf } from '../payments/kills.ts';
import { api, type Charge, makeDue, pay, paymentsOf, prepareCharge, raise, recover, type World } from '../world.ts';
import {
  act,
  answerBank,
  becomeWaiting,
  dieAlone,
  expectCode,
  expectConfirmable,
  expectPaid,
  letExpire,
  prepareDebit,
  prepareWaiting,
  untilEnded,
  type Waiting,
} from './waiting.world.ts';

const API = 'kill -9 of the API,';
/** What the kill leaves behind: the payment's state, and the gateway's object. */
type Kill = { fault: string; step: string; failpoint: AnyFailpoint; remains: string };

const BEGIN_KILLS: Kill[] = [
  { fault: `${API} before`, step: 'T', failpoint: 'after_confirm', remains: 'sending' },
  { fault: `${API} during`, step: 'T', failpoint: 'before_wait_commit', remains: 'sending' },
  { fault: `${API} before`, step: 'answer', failpoint: 'after_wait', remains: 'waiting' },
];

/** Kills the process that charges when the bank asks, or has sent the debit on its way. The client pays again at once. */
async function killAtBegin(world: World, { failpoint, remains }: Kill, answer: SourceAnswer): Promise<void> {
  const [state, object] = answer === 'asks' ? ['requires_action', 'requires_action'] : ['processing', 'processing'];
  const charge = await prepareCharge(world, answer);
  const victim = await world.startApi({ failpoint });
  const broken = await pay(world, victim, charge);
  if (broken.status !== 0) raise(`${failpoint} was not reached: ${JSON.stringify(broken)}`);
  await victim.ended;
  const [left] = await paymentsOf(world, charge);
  const objects = await objectsOf(world, charge);
  const isExpected = left?.state === (remains === 'waiting' ? state : remains) && objects.join() === object;
  if (!isExpected) raise(`${failpoint} left ${left?.state}, ${objects}`);

  const retrying = pay(world, api(world), charge);
  await recover(world, charge);
  const first = await retrying;
  const retried = first.status === 202 ? await pay(world, api(world), charge) : first;
  const [payment, ...others] = await paymentsOf(world, charge);
  if (payment?.id !== left?.id || others.length > 0) raise('the retry began another payment');
  if (answer !== 'asks') {
    if (retried.status !== 202) raise(`expected 202: ${JSON.stringify(retried)}`);
    return settleDebit(world, charge);
  }
  const waiting = await becomeWaiting(world, charge, retried);
  if (waiting.paymentId !== left?.id) raise(`another payment waits: ${JSON.stringify(retried)}`);
  await expectConfirmable(world, api(world), waiting);
}

/** A debit that is on its way can't be voided. It settles, and its invoice is paid with it. */
export async function settleDebit(world: World, charge: Charge): Promise<void> {
  expectCode(await act(world, api(world), 'void', charge), 409, 'payment_in_progress');
  const [payment] = await paymentsOf(world, charge);
  await world.gateway.control.endDelays();
  await untilEnded(world, charge);
  await expectPaid(world, api(world), charge, payment?.id ?? '');
}

const RECONCILER = 'kill -9 of the reconciler';
/** How a payment that waited has ended when somebody looks, and what is killed then. */
const LOOK_KILLS: Record<string, AnyFailpoint[]> = {
  'it is confirmed': ['before_look', 'after_look', 'before_settle_commit', 'after_settle'],
  'it is refused': ['after_look', 'after_decline', 'after_cancel', 'before_fail_commit', 'after_fail'],
  'its time has passed': [
    'after_look',
    'before_waiting_cancel',
    'after_waiting_cancel',
    'before_fail_commit',
    'after_fail',
  ],
};
/** The failpoints of the waiting at which the cells kill; those of the acts are among them. */
export const WAITING_KILLED = new Set(
  [...BEGIN_KILLS.map(({ failpoint }) => failpoint), ...Object.values(LOOK_KILLS).flat()].filter((failpoint) =>
    WAITING_FAILPOINTS.some((known) => known === failpoint),
  ),
);

/** The steps at which these failpoints are. */
const AT: Partial<Record<AnyFailpoint, [where: 'before' | 'during' | 'after', step: string]>> = {
  before_look: ['before', 'look'],
  after_look: ['after', 'look'],
  before_waiting_cancel: ['before', 'cancel'],
  after_decline: ['before', 'cancel'],
  after_waiting_cancel: ['after', 'cancel'],
  after_cancel: ['after', 'cancel'],
  before_settle_commit: ['during', 'end'],
  before_fail_commit: ['during', 'end'],
  after_settle: ['after', 'end'],
  after_fail: ['after', 'end'],
};

/** The failpoints of the waiting, as parts of the name of a cell. */
export function placeOf(failpoint: AnyFailpoint): readonly [where: string, step: string] {
  return AT[failpoint] ?? raise(`${failpoint} has no place`);
}

/** Kills the reconciler that looks at a payment which was confirmed. The client pays again, and gets that payment. */
async function killAtConfirmed(world: World, failpoint: AnyFailpoint): Promise<void> {
  const waiting = await prepareWaiting(world);
  const victim = await world.startApi({ failpoint });
  await answerBank(world, waiting);
  await dieAlone(world, victim, () => makeDue(world, waiting));
  await expectPaid(world, api(world), waiting, waiting.paymentId);
}

/** Kills the reconciler that looks at a payment which nobody can confirm any more. The client pays again, and gets the bank's reason. */
async function killAtRefused(world: World, failpoint: AnyFailpoint, how: 'refused' | 'expired'): Promise<void> {
  const waiting = await prepareWaiting(world);
  const victim = await world.startApi({ failpoint });
  if (how === 'refused') await answerBank(world, waiting, 'fail');
  else await letExpire(world, waiting);
  await dieAlone(world, victim, () => makeDue(world, waiting));
  await expectRefused(world, waiting, `authentication_${how === 'refused' ? 'failed' : 'expired'}`);
  await expectConfirmable(world, api(world), await payAgain(world, waiting));
}

/** Throws unless the payment fails for this reason, whoever ends it, and can't be confirmed then. */
async function expectRefused(world: World, waiting: Waiting, declineCode: string): Promise<void> {
  const [left] = await paymentsOf(world, waiting);
  if (left?.state !== 'failed') {
    const answer = await pay(world, api(world), waiting);
    expectCode(answer, 402, 'card_declined');
    if (answer.body.error.declineCode !== declineCode) raise(`declined for ${answer.body.error.declineCode}`);
  }
  const [payment, ...others] = await paymentsOf(world, waiting);
  if (payment?.state !== 'failed' || payment.declineCode !== declineCode || others.length > 0)
    raise(`the payment is ${JSON.stringify(payment)}, with ${others.length} others`);
  if (await answerBank(world, waiting)) raise('it was confirmed after it had failed');
}

/** The next pay begins another payment, which waits again. */
async function payAgain(world: World, charge: Charge): Promise<Waiting> {
  return becomeWaiting(world, charge, await pay(world, api(world), charge));
}

/** The customer confirms when the payment's time has passed, and its reconciler is dead. While the object is open, that counts. */
async function confirmLate(world: World, failpoint: AnyFailpoint): Promise<void> {
  const waiting = await prepareWaiting(world);
  const victim = await world.startApi({ failpoint });
  await letExpire(world, waiting);
  await dieAlone(world, victim, () => makeDue(world, waiting));
  const isOpen = failpoint === 'after_look' || failpoint === 'before_waiting_cancel';
  if ((await answerBank(world, waiting)) !== isOpen) raise(`the bank took the answer: ${!isOpen}`);
  if (isOpen) await expectPaid(world, api(world), waiting, waiting.paymentId);
  else await expectRefused(world, waiting, 'authentication_expired');
}

/** Kills the reconciler that finds a debit settled or returned. Another one ends it. */
async function killAtDebit(world: World, failpoint: AnyFailpoint, isSettled: boolean): Promise<void> {
  const charge = await prepareDebit(world, isSettled ? 'a debit that settles' : 'a debit that comes back');
  const victim = await world.startApi({ failpoint });
  await world.gateway.control.endDelays();
  await dieAlone(world, victim, () => makeDue(world, charge));
  await untilEnded(world, charge);
  const [payment, ...others] = await paymentsOf(world, charge);
  if (others.length > 0) raise('there is a second payment');
  if (isSettled) return expectPaid(world, api(world), charge, payment?.id ?? '');
  if (payment?.state !== 'failed' || payment.declineCode !== 'insufficient_funds')
    raise(`the debit that came back is ${JSON.stringify(payment)}`);
}

/** Every kill while a payment begins to wait, and while a reconciler finds out how it has ended. */
export function waitingKillCells(): Cell[] {
  const [confirmed, refused, expired] = Object.values(LOOK_KILLS) as [AnyFailpoint[], AnyFailpoint[], AnyFailpoint[]];
  const cellsAt = (
    of: string,
    failpoints: AnyFailpoint[],
    what: string,
    run: (world: World, failpoint: AnyFailpoint) => Promise<void>,
  ): Cell[] =>
    failpoints.map((failpoint) => {
      const [where, step] = placeOf(failpoint);
      return {
        fault: `${RECONCILER}, ${what}, ${where}`,
        step: `${of} ${step}`,
        run: (world) => run(world, failpoint),
      };
    });
  const begin = (of: string, answer: SourceAnswer): Cell[] =>
    BEGIN_KILLS.map((kill) => ({
      ...{ fault: kill.fault, step: `${of} ${kill.step}` },
      run: (world) => killAtBegin(world, kill, answer),
    }));
  return [
    ...begin('confirmation', 'asks'),
    ...begin('debit', 'a debit that settles'),
    ...cellsAt('confirmation', confirmed, 'confirmed', killAtConfirmed),
    ...cellsAt('confirmation', refused, 'refused', (world, at) => killAtRefused(world, at, 'refused')),
    ...cellsAt('confirmation', expired, 'expired', (world, at) => killAtRefused(world, at, 'expired')),
    ...cellsAt('confirmation', expired, 'expired and confirmed late', confirmLate),
    ...cellsAt('debit', confirmed, 'settled', (world, at) => killAtDebit(world, at, true)),
    ...cellsAt('debit', refused, 'come back', (world, at) => killAtDebit(world, at, false)),
  ];
}
