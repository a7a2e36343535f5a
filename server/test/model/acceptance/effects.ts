import { gatewayTransitions } from '../charge/gateway.ts';
import { processTransitions } from '../charge/process/process.ts';
import { goBack } from '../charge/recovery.ts';
import type { Setting } from '../charge/rules.ts';
import { booksOf, type GatewayObject, IDLE, type State, withObject, withProcess } from '../charge/state.ts';
import type { Label } from '../checker/model.ts';
import { type Hypothesis, type Pending, withObjectName, withRows } from './hypothesis.ts';
import type { FoundObject } from './operations.ts';
import { recoveryEffects } from './recovery.ts';

/* What may have happened between two moments: operations that have begun take effect, and the gateway carries out confirmations. */

/** What happens at the gateway without a request. */
const OUTSIDE = ['the gateway confirms', 'the customer answers', 'the debit ends'];

/** Everything that may happen next without being written down. */
export function effects(one: Hypothesis, setting: Setting): Hypothesis[] {
  const after: Hypothesis[] = [];
  for (const { label, next } of gatewayTransitions(one.state, setting))
    if (OUTSIDE.includes(label.step)) after.push({ ...one, state: next });
  for (const pending of one.pending) if (!pending.isDone) after.push(...effectsOf(one, pending, setting));
  return after.map(withRows);
}

function effectsOf(one: Hypothesis, pending: Pending, setting: Setting): Hypothesis[] {
  const { operation, by } = pending;
  const { step, answer } = operation;
  const { state } = one;
  if (step === 'backup') return [done({ ...one, state: { ...state, backup: state.books[0] } }, pending)];
  if (step === 'restore') {
    const backup = state.backup ?? state.books[0];
    const restored = { ...goBack(state, backup, setting.bounds), backup, wentBack: 0 };
    return [done({ ...one, state: restored }, pending)];
  }
  if (step === 'copy') return [done({ ...one, state: { ...state, books: [state.books[0], state.books[0]] } }, pending)];
  const recovered = recoveryEffects(one, operation, setting.bounds);
  if (recovered !== null) return recovered.map((hypothesis) => done(hypothesis, pending));
  const after: Hypothesis[] = [];
  for (const from of before(one, pending, setting)) {
    for (const { label, next } of processTransitions(from, setting, by)) {
      if (!isStep(label, step)) continue;
      const hypothesis = { ...one, state: step === 'ask' ? asShown(next, one.state) : next };
      if (label.step === 'confirm') after.push(hypothesis);
      else {
        const named = answer === null ? hypothesis : matching(hypothesis, label, pending);
        if (named !== null)
          after.push(done(step === 'T1' ? withPaymentName(named, label, operation.payment) : named, pending));
      }
    }
  }
  // A process may die before its intent commits, and the lock goes with it.
  if (step === 'T1' && answer === null && state.processes[by]?.at === 'T1')
    after.push(done({ ...one, state: withProcess(state, by, IDLE) }, pending));
  return after;
}

function isStep(label: Label, step: string): boolean {
  if (label.done === false && step === 'T1') return false;
  return label.step === step || (step === 'confirm' && label.step === 'the confirmation is answered');
}

/** The state as the gateway may be by then: keys are forgotten, a search has caught up, captures are refunded. */
function before(one: Hypothesis, { operation, by }: Pending, { bounds }: Setting): State[] {
  const { state } = one;
  const process = state.processes[by];
  if (operation.step === 'create' && process?.at === 'create') {
    const forgotten = state.objects.map((object) => ({ ...object, isKeyKept: false }));
    return [state, { ...state, objects: forgotten }];
  }
  if (operation.step !== 'ask') return [state];
  let seen = state;
  for (const found of operation.answer?.found ?? []) {
    const { id, status } = found;
    const object = one.objects.get(id) ?? unnamedObject(one, found);
    if (object === null) continue;
    // What the books know is asked for by itself, so a search need not show it yet.
    const isKnown = booksOf(state, operation).payments.some((payment) => payment.object === object);
    if (bounds.searchLags && !isKnown) seen = withObject(seen, object, { isShown: true });
    if (status === 'returned') seen = withObject(seen, object, { state: 'canceled' });
  }
  return [seen];
}

/** A search goes on showing captures; what else a question has found, it may not find again. */
function asShown(state: State, before: State): State {
  const objects = state.objects.map((object, index) =>
    object.state === 'captured' ? object : { ...object, isShown: before.objects[index]?.isShown ?? object.isShown },
  );
  return { ...state, objects };
}

function done(one: Hypothesis, pending: Pending): Hypothesis {
  return { ...one, pending: one.pending.map((other) => (other === pending ? { ...other, isDone: true } : other)) };
}

function withPaymentName(one: Hypothesis, { payment }: Label, name = ''): Hypothesis {
  return { ...one, payments: new Map([...one.payments, [name, Number(payment)]]) };
}

/** The hypothesis with the names that the answer gives, or null when the model answers something else. */
function matching(one: Hypothesis, label: Label, { operation }: Pending): Hypothesis | null {
  const answer = operation.answer ?? {};
  const { error, outcome } = answer;
  switch (operation.step) {
    case 'ask':
      return answer.found === undefined ? null : matchingFound(one, label, answer.found);
    case 'create':
      if (error === 'conflict') return label.answer === 'conflict' ? one : null;
      if (error === 'rejected') return label.answer === 'refused' ? one : null;
      if (error !== undefined) return label.object === undefined ? null : one;
      if (label.answer !== undefined || answer.object === undefined) return null;
      return withObjectName(one, answer.object, Number(label.object));
    case 'confirm':
      if (error === 'conflict') return label.outcome === 'conflict' ? one : null;
      if (error === 'rejected') return label.outcome === 'refused' ? one : null;
      return error === undefined && (label.outcome === outcome || repeatsDecline(label, outcome)) ? one : null;
    case 'cancel':
    case 'find':
      return error !== undefined || label.outcome === outcome ? one : null;
    case 'T2':
      return error !== undefined || label.done === outcome ? one : null;
    default:
      return one;
  }
}

/** A key that the gateway still knows repeats its answer, the decline after which the object was canceled. */
function repeatsDecline(label: Label, outcome: unknown): boolean {
  return label.outcome === 'canceled' && outcome === 'declined';
}

/** The gateway's answer lists the same objects in the same states as the model. */
function matchingFound(one: Hypothesis, label: Label, found: readonly FoundObject[]): Hypothesis | null {
  const shown = Array.isArray(label.found) ? (label.found as readonly (readonly [number, string])[]) : [];
  if (shown.length !== found.length) return null;
  let named: Hypothesis | null = one;
  for (const each of found) {
    const { id, status } = each;
    const object: number | null = named.objects.get(id) ?? unnamedObject(named, each);
    const entry = shown.find(([number]) => number === object);
    if (object === null || entry === undefined || !isSameStatus(entry[1], status)) return null;
    named = withObjectName(named, id, object);
    if (named === null) return null;
  }
  return named;
}

/** An object with this number and status whose name is not known yet. */
function unnamedObject({ objects, state }: Hypothesis, { status, sequence }: FoundObject): number | null {
  const named = new Set(objects.values());
  const index = state.objects.findIndex(
    (object, at) => object.sequence === sequence && isSameStatus(object.state, status) && !named.has(at + 1),
  );
  return index === -1 ? null : index + 1;
}

/** Some gateways do not say that an object was declined. */
function isSameStatus(model: string, status: string): boolean {
  const simple = (text: string): string => {
    if (text === 'declined') return 'created' satisfies GatewayObject['state'];
    return text === 'returned' ? 'canceled' : text;
  };
  return simple(model) === simple(status);
}
