import { ALL_RULES, DEFAULT_BOUNDS, type Setting } from '../charge/rules.ts';
import { IDLE, initialState } from '../charge/state.ts';
import { beginnings } from './begin.ts';
import { effects } from './effects.ts';
import { type Hypothesis, textOf, withNewProcess, withoutPending, withoutProcess } from './hypothesis.ts';
import { describeMoment, type Line, type Moment, momentsByDebt, type Operation } from './operations.ts';
import { isLeftToPerson, isSettled } from './recovery.ts';

/*
 * Whether a run is a behaviour of the charge's model: the states that fit what was written down are carried along from line to line. A
 * run is refused at the first line after which none is left.
 */

/** How a gateway differs from one that lists everything at once. */
export type GatewayKind = { searchLags: boolean; capturesOnce: boolean };

/** More states than this fit only a run that has lost nearly every answer. */
const MOST_HYPOTHESES = 50_000;
/** Enough for any run. */
const MANY = 1_000;

/** Refusals of a run, one for each debt whose lines are no behaviour of the model. */
export function findDeviations(lines: readonly Line[], gateway: GatewayKind): string[] {
  return [...momentsByDebt(lines)].flatMap(([debt, moments]) => {
    const refusal = findRefusal(moments, gateway);
    return refusal === null ? [] : [`${debt}: ${refusal}`];
  });
}

/** The first line that the model does not allow, in words; null for a behaviour of the model. */
export function findRefusal(moments: readonly Moment[], gateway: GatewayKind): string | null {
  const setting: Setting = {
    rules: ALL_RULES,
    bounds: {
      ...{ ...DEFAULT_BOUNDS, ...gateway, processes: 0, payments: MANY, objects: MANY, goesBack: 'failover' },
      ...{ isNoticed: 'never', asksDuringIntent: true, refuses: true, skips: true },
      ...{ asksCustomers: tellsOf(moments, 'requires_action'), sendsDebits: tellsOf(moments, 'processing') },
    },
  };
  let fitting = [beginning(setting)];
  for (const [index, moment] of moments.entries()) {
    if (moment.kind === 'begins' && isLeftToPerson(moment.operation)) return null;
    const reachable = close(fitting, setting);
    fitting = distinct(reachable.flatMap((one) => step(one, moment)));
    if (fitting.length === 0) {
      const earlier = moments.slice(0, index).map(describeLine);
      return ['not a behaviour of the model:', ...earlier, `${describeLine(moment)}  <- here`].join('\n');
    }
  }
  const hasCopy = moments.some(({ operation }) => operation.step === 'copy');
  if (!hasCopy || close(fitting, setting).some((one) => isSettled(one, setting.bounds))) return null;
  return ['not settled: a database lacks something and charges on:', ...moments.map(describeLine)].join('\n');
}

/** Whether a gateway has said so of any object. What it never says need not be considered. */
function tellsOf(moments: readonly Moment[], status: string): boolean {
  return moments.some(
    ({ operation: { answer } }) =>
      answer?.outcome === status || answer?.found?.some((found) => found.status === status),
  );
}

function describeLine(moment: Moment): string {
  return `  ${describeMoment(moment)}`;
}

/** The invoice is issued, and nobody has charged it. */
function beginning(setting: Setting): Hypothesis {
  const state = initialState(setting);
  const [books] = state.books;
  return {
    state: { ...state, books: [{ ...books, invoice: { id: 1, amount: 1, state: 'open' } }, null] },
    ...{ owners: [], payments: new Map(), objects: new Map(), pending: [], rows: new Set() },
  };
}

function distinct(all: readonly Hypothesis[]): Hypothesis[] {
  return [...new Map(all.map((one) => [textOf(one), one])).values()];
}

/** All that may be the case once what has begun has taken effect, or not. */
function close(fitting: readonly Hypothesis[], setting: Setting): Hypothesis[] {
  const found = new Map(fitting.map((one) => [textOf(one), one]));
  const open = [...found.values()];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const after of effects(one, setting)) {
      const text = textOf(after);
      if (found.has(text)) continue;
      found.set(text, after);
      open.push(after);
    }
    if (found.size > MOST_HYPOTHESES) throw new Error('Too many states of the model fit the run.');
  }
  return [...found.values()];
}

function step(one: Hypothesis, { kind, operation }: Moment): Hypothesis[] {
  return kind === 'begins' ? beginnings(one, operation) : endings(one, operation);
}

/** Errors after which the request has surely had no effect. */
const UNSENT = ['not_sent', 'unauthorized', 'not_configured'];
/** Errors that are answers. */
const ANSWERS = ['conflict', 'rejected'];

function endings(one: Hypothesis, operation: Operation): Hypothesis[] {
  const pending = one.pending.find((other) => other.operation === operation);
  if (pending === undefined) return [];
  const { by, isDone } = pending;
  const error = operation.answer?.error;
  const over = withoutPending(one, operation);
  const isAnswered =
    error === undefined ||
    (ANSWERS.includes(error) && operation.step !== 'cancel' && operation.step !== 'adopt: cancel');
  if (isAnswered && operation.answer?.outcome === 'created' && operation.step === 'confirm')
    return [withoutProcess(over, by)];
  if (isAnswered) return isDone ? [over] : [];
  if (UNSENT.includes(error)) {
    if (isDone) return [];
    // The process may withdraw the payment; a confirmation that was not sent is simply given up.
    return operation.step === 'confirm' ? [withoutProcess(over, by)] : [over];
  }
  return lost(one, over, { operation, by, isDone });
}

/** Nobody knows whether the request had an effect, or will have one; the process goes no further, but may take another number. */
function lost(
  one: Hypothesis,
  over: Hypothesis,
  { operation, by, isDone }: Hypothesis['pending'][number],
): Hypothesis[] {
  const { step, process: owner } = operation;
  if (step === 'ask' || step === 'find') return isDone ? [] : [withoutProcess(over, by)];
  if (step === 'confirm') return [withoutProcess(over, by)];
  const process = one.state.processes[by] ?? IDLE;
  const rest = isDone
    ? withoutProcess(over, by)
    : { ...one, owners: one.owners.map((other, index) => (index === by ? null : other)) };
  if (step !== 'create') return [rest];
  const known = isDone ? { ...process, at: 'skip' as const, targets: [] } : { ...process, at: 'skip' as const };
  return [rest, withNewProcess(rest, owner, known).hypothesis];
}
