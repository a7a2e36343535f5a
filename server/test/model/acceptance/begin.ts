import { IDLE, type Place, type Process } from '../charge/state.ts';
import { type Hypothesis, type Pending, withNewProcess } from './hypothesis.ts';
import { isOfWorld, type Operation } from './operations.ts';

/* Who may begin an operation: a process of the model that stands before such a step, or a new one. */

/** Every way to begin it; none when the model's processes may not do that now. */
export function beginnings(one: Hypothesis, operation: Operation): Hypothesis[] {
  const { process: owner, step } = operation;
  if (isOfWorld(operation)) return [withPending(one, operation, -1)];
  const busy = new Set(one.pending.map(({ by }) => by));
  const ways: Hypothesis[] = [];
  for (const [by, process] of one.state.processes.entries()) {
    if (one.owners[by] !== owner) continue;
    // While T1 commits, the gateway is asked already.
    const isOpening = step === 'ask' && isOpenedBy(one, by, operation);
    const ready = isOpening ? process : readyFor(one, operation, process);
    if (ready === null || (busy.has(by) && !isOpening)) continue;
    if (isOpening && one.pending.some((pending) => pending.by === by && pending.operation.step === 'ask')) continue;
    const processes = one.state.processes.map((other, index) => (index === by ? ready : other));
    ways.push(withPending({ ...one, state: { ...one.state, processes } }, operation, by));
  }
  for (const process of newProcesses(one, operation)) {
    const { hypothesis, by } = withNewProcess(one, owner, process);
    ways.push(withPending(hypothesis, operation, by));
  }
  return ways;
}

/** Whether the process is about to commit the intent of this payment. */
function isOpenedBy({ pending }: Hypothesis, by: number, { payment }: Operation): boolean {
  return pending.some(
    (other) => other.by === by && other.operation.step === 'T1' && other.operation.payment === payment,
  );
}

function withPending(one: Hypothesis, operation: Operation, by: number): Hypothesis {
  const pending: Pending = { operation, by, isDone: false };
  return { ...one, pending: [...one.pending, pending] };
}

/** The process as it does this step, or null when it stands elsewhere. */
function readyFor(one: Hypothesis, operation: Operation, process: Process): Process | null {
  const { step } = operation;
  const { at, object, own, sequence, targets } = process;
  const wanted = one.objects.get(operation.object ?? '') ?? 0;
  const isOfPayment = operation.payment === undefined || one.payments.get(operation.payment) === process.payment;
  if (!isOfPayment) return null;
  switch (step) {
    case 'create':
      return at === 'create' && operation.sequence === sequence ? process : null;
    case 'skip':
      return at === 'skip' && operation.sequence === sequence ? process : null;
    case 'cancel':
      if (at === 'close' && targets.includes(wanted)) return first(process, wanted);
      return (at === 'close own' && own === wanted) || (at === 'cancel' && object === wanted) ? process : null;
    case 'adopt':
      return at === 'adopt' && targets.includes(wanted) ? first(process, wanted) : null;
    case 'T2':
      return at === 'T2' && targets[0] === wanted ? process : null;
    case 'withdraw':
      return process.isRequest && (at === 'ask' || at === 'close' || at === 'create') ? process : null;
    case 'find':
      return at === 'find' || at === 'look' ? process : null;
    case 'T3':
    case 'fail':
    case 'confirm':
    case 'await customer':
    case 'await bank':
      return at === step && object === wanted ? process : null;
    default:
      return at === step ? process : null;
  }
}

/** Targets are dealt with in any order. */
function first(process: Process, target: number): Process {
  return { ...process, targets: [target, ...process.targets.filter((other) => other !== target)] };
}

/**
 * A request begins with T1, a reconciler with what it read of a payment: it asks, or looks the object up. Whatever goes on without a
 * payment that waits cancels that.
 */
function newProcesses(one: Hypothesis, { database, step, payment, object }: Operation): Process[] {
  if (step === 'T1') return [{ ...IDLE, database }];
  return [...one.rows].flatMap((row) => {
    const [where = 0, id = 0, recorded = 0] = row.split(' ').map(Number);
    const at = beginningOf(step, row.split(' ').at(-1) ?? '');
    const isWanted = payment === undefined || one.payments.get(payment) === id;
    const isRight = step === 'ask' ? recorded === 0 : recorded !== 0 && recorded === one.objects.get(object ?? '');
    if (at === null || where !== database || !isWanted || !isRight) return [];
    return [{ ...IDLE, database, at, payment: id, amount: 1, object: recorded, own: recorded }];
  });
}

/** Where a process stands that begins with this step, for a payment that runs in this state; null when none begins so. */
function beginningOf(step: string, state: string): Place | null {
  const isLive = state === 'live';
  if (step === 'ask') return isLive ? step : null;
  if (step === 'find') return isLive ? step : 'look';
  return step === 'cancel' && state === 'requires_action' ? step : null;
}
