/** Cells in which a confirmation races with what goes on without it, or the process that looks is suspended meanwhile. */
import type { Cell } from '../chaos.ts';
import { PATIENT, type Seen } from '../processes.ts';
import {
  addSource,
  api,
  type Charge,
  makeDue,
  otherApi,
  pay,
  paymentsOf,
  prepareCharge,
  raise,
  until,
  type World,
} from '../world.ts';
import {
  ACTS,
  type Act,
  act,
  answerBank,
  becomeWaiting,
  expectCode,
  expectConfirmable,
  expectDone,
  expectPaid,
  expectState,
  holdNext,
  letExpire,
  prepareDebit,
  prepareWaiting,
  untilEnded,
} from './waiting.world.ts';

const PAYS = 50;

const payFifty = (world: World, charge: Charge): Promise<Seen[]> =>
  Promise.all(Array.from({ length: PAYS }, (_, index) => pay(world, api(world, index % world.apis.length), charge)));

/** Another pay is still on its way, or the few connections to the database are busy. */
function isLater({ status, retryAfter }: Seen): boolean {
  return (status === 409 || status === 503) && retryAfter !== null;
}

/** 50 pays of a card whose bank asks begin one payment, and all of them show how it is confirmed. */
async function beginFifty(world: World): Promise<void> {
  const charge = await prepareCharge(world, 'asks');
  const answers = await payFifty(world, charge);
  const waiting = answers.filter(({ status }) => status === 402);
  const [first] = waiting;
  if (first === undefined) raise('nobody got the result');
  const { paymentId, clientSecret } = await becomeWaiting(world, charge, first);
  for (const answer of answers) {
    if (isLater(answer)) continue;
    expectCode(answer, 402, 'authentication_required');
    if (answer.body.error.paymentId !== paymentId) raise(`another payment waits: ${JSON.stringify(answer)}`);
  }
  await expectConfirmable(world, otherApi(world), { ...charge, paymentId, clientSecret });
}

/** 50 pays of a mandate begin one debit. */
async function debitFifty(world: World): Promise<void> {
  const charge = await prepareCharge(world, 'a debit that settles');
  const answers = await payFifty(world, charge);
  if (answers.some((answer) => answer.status !== 202 && !isLater(answer))) raise(JSON.stringify(answers));
  await expectState(world, charge, 'processing');
  await world.gateway.control.endDelays();
  await untilEnded(world, charge);
  await expectState(world, charge, 'captured');
}

/** The customer confirms while 50 pays look. Each gets the payment, or what still confirms it. */
async function confirmDuringPays(world: World): Promise<void> {
  const waiting = await prepareWaiting(world);
  const [answers] = await Promise.all([payFifty(world, waiting), answerBank(world, waiting)]);
  world.steps.leaveOut();
  for (const answer of answers) {
    const isPaid = answer.status === 200 && answer.body.paymentId === waiting.paymentId;
    const isWaiting = answer.status === 402 && answer.body.error.paymentId === waiting.paymentId;
    if (!isPaid && !isWaiting && !isLater(answer)) raise(JSON.stringify(answer));
  }
  await expectPaid(world, otherApi(world), waiting, waiting.paymentId);
}

/** The customer confirms, the act cancels, and another process looks, all at once: one of them wins. */
async function confirmDuringAct(world: World, name: Act): Promise<void> {
  const waiting = await prepareWaiting(world);
  await ACTS[name].prepare(world, waiting);
  const [answer, isConfirmed] = await Promise.all([
    act(world, api(world), name, waiting),
    answerBank(world, waiting),
    answerBank(world, waiting),
    makeDue(world, waiting),
    act(world, otherApi(world), 'deletion of its card', waiting),
  ]);
  await untilEnded(world, waiting);
  const [first] = await paymentsOf(world, waiting);
  if (first?.state === 'failed') return expectDone(world, name, waiting, await act(world, api(world), name, waiting));
  if (name === 'void') expectCode(answer, 409, 'invoice_paid');
  if (!isConfirmed && first?.state !== 'captured') raise(`the payment is ${first?.state}`);
  await expectPaid(world, otherApi(world), waiting, waiting.paymentId);
}

/** The customer confirms when the time passes. Either the payment is paid, or there was nothing to confirm. */
async function confirmAtTheEnd(world: World): Promise<void> {
  const waiting = await prepareWaiting(world);
  await letExpire(world, waiting);
  const [isConfirmed] = await Promise.all([
    answerBank(world, waiting),
    makeDue(world, waiting),
    payFifty(world, waiting),
  ]);
  world.steps.leaveOut();
  const [first] = await paymentsOf(world, waiting);
  if (first === undefined) raise('there is no payment');
  if (isConfirmed) {
    await untilEnded(world, waiting);
    return expectPaid(world, api(world), waiting, waiting.paymentId);
  }
  // Some of the pays came after the end, and began another payment, which waits now.
  const next = await becomeWaiting(world, waiting, await payUntilWaiting(world, waiting));
  await expectConfirmable(world, otherApi(world), next);
}

async function payUntilWaiting(world: World, charge: Charge): Promise<Seen> {
  const answer = await pay(world, api(world), charge);
  const isEnd = answer.status === 402 && answer.body.error.code === 'card_declined';
  return isEnd ? pay(world, api(world), charge) : answer;
}

/** A process sleeps after the gateway has canceled for its void. Meanwhile the invoice is paid with another card. */
async function voidSleeps(world: World): Promise<void> {
  const waiting = await prepareWaiting(world);
  const sleeper = await world.startApi(PATIENT);
  const arrived = await holdNext(world, 'cancel');
  const voiding = act(world, sleeper, 'void', waiting);
  await until(arrived, 'the gateway was asked to cancel');
  await sleepWhile(world, sleeper, async () => {
    await addSource(world, waiting.token, 'pays');
    const paid = await pay(world, api(world), waiting);
    if (paid.status !== 200 || paid.body.paymentId === waiting.paymentId) raise(JSON.stringify(paid));
  });
  expectCode(await voiding, 409, 'invoice_paid');
  await sleeper.stop();
}

/** A process sleeps on the answer that the payment still waits, or that its time has passed. Meanwhile it is confirmed, and paid. */
async function lookSleeps(world: World, isExpired: boolean): Promise<void> {
  const waiting = await prepareWaiting(world);
  const sleeper = await world.startApi(PATIENT);
  if (isExpired) await letExpire(world, waiting);
  const arrived = await holdNext(world, 'find');
  const looking = pay(world, sleeper, waiting);
  await until(arrived, 'the gateway was asked');
  await sleepWhile(world, sleeper, async () => {
    if (!(await answerBank(world, waiting))) raise('there was nothing to confirm');
    await expectPaid(world, api(world), waiting, waiting.paymentId);
  });
  const answer = await looking;
  if (answer.status !== 200 || answer.body.paymentId !== waiting.paymentId) raise(JSON.stringify(answer));
  await sleeper.stop();
}

/** The gateway answers a process that is suspended, and does not act on it before `meanwhile` is over. */
async function sleepWhile(
  world: World,
  sleeper: { signal: (signal: NodeJS.Signals) => void },
  meanwhile: () => Promise<void>,
): Promise<void> {
  sleeper.signal('SIGSTOP');
  try {
    await world.gateway.control.endDelays();
    await meanwhile();
  } finally {
    sleeper.signal('SIGCONT');
  }
}

const COPIES = 10;

async function prepareConfirmed(world: World): Promise<Charge> {
  const waiting = await prepareWaiting(world);
  await answerBank(world, waiting);
  return waiting;
}

/** The gateway sends every event many times, in any order and to both processes, while the client pays. */
async function repeatEvents(world: World, of: 'confirmation' | 'debit'): Promise<void> {
  const waiting = of === 'confirmation' ? await prepareConfirmed(world) : await prepareDebit(world);
  const [payment] = await paymentsOf(world, waiting);
  if (of === 'debit') await world.gateway.control.endDelays();
  const events = (await world.adapter.eventsOf?.(world.gateway, payment?.gatewayPaymentId ?? '')) ?? [];
  if (events.length < 2) raise(`the gateway has sent ${events.length} events`);
  const copies = Array.from({ length: COPIES }, () => events.toReversed()).flat();
  const answers = await Promise.all([
    ...copies.map(({ path, headers, body }, index) =>
      api(world, index % world.apis.length).send('POST', path, { headers, body }),
    ),
    makeDue(world, waiting),
    pay(world, api(world), waiting),
  ]);
  world.steps.leaveOut();
  const refused = answers.slice(0, copies.length).filter((answer) => answer?.status !== 200 && answer?.status !== 503);
  if (refused.length > 0) raise(`an event was answered with ${JSON.stringify(refused[0])}`);
  await untilEnded(world, waiting);
  await expectState(world, waiting, 'captured');
  await expectPaid(world, otherApi(world), waiting, payment?.id ?? '');
}

/** Every race with a confirmation, and every suspension. `sendsEvents`: whether the gateway sends some here. */
export function waitingRaceCells(sendsEvents: boolean): Cell[] {
  const events: Cell[] = (['confirmation', 'debit'] as const).map((of) => ({
    ...{ fault: 'each gateway event ten times', step: `${of} look` },
    run: (world) => repeatEvents(world, of),
  }));
  const acts: Act[] = ['void', 'credit note', 'pay with another card'];
  return [
    { fault: '50 duplicate pays on two processes', step: 'confirmation G2', run: beginFifty },
    { fault: '50 duplicate pays on two processes', step: 'debit G2', run: debitFifty },
    { fault: '50 duplicate pays on two processes', step: 'confirmation look', run: confirmDuringPays },
    ...acts.map((name) => ({
      ...{ fault: `confirmed at once with a ${name}`, step: 'confirmation cancel' },
      run: (world: World) => confirmDuringAct(world, name),
    })),
    { fault: 'confirmed at once with its end', step: 'confirmation cancel', run: confirmAtTheEnd },
    { fault: 'SIGSTOP of the API, during', step: 'confirmation cancel', run: voidSleeps },
    { fault: 'SIGSTOP of the API, during', step: 'confirmation look', run: (world) => lookSleeps(world, false) },
    {
      ...{ fault: 'SIGSTOP of the API, expired, during', step: 'confirmation look' },
      run: (world) => lookSleeps(world, true),
    },
    ...(sendsEvents ? events : []),
  ];
}
