import type { Label, Transition } from '../../checker/model.ts';
import type { Setting } from '../rules.ts';
import { idle, type Process, type Purpose, type State, withProcess } from '../state.ts';

export type Steps = Transition<State>[];

/** A process, the state that it finds, and the setting. */
export type Actor = { state: State; setting: Setting; index: number; process: Process };

/** The process does this, and goes on elsewhere. */
export function go(
  { state, index, process }: Actor,
  label: Label,
  change: Partial<Process>,
  from: State = state,
): Transition<State> {
  return { label: { by: index + 1, ...label }, next: withProcess(from, index, { ...process, ...change }) };
}

/** The process does this, and stops. */
export function stop({ state, index, process }: Actor, label: Label, from: State = state): Transition<State> {
  return { label: { by: index + 1, ...label }, next: withProcess(from, index, idle(process)) };
}

/** Where a process begins to ask, for this purpose. */
export function question({ rules, bounds }: Setting, purpose: Purpose): Pick<Process, 'at' | 'purpose'> {
  const { asksOtherGateways: asks } = rules;
  const asksOthers = bounds.gateways > 1 && (asks === 'always' || (asks === 'before creating' && purpose === 'create'));
  return { at: asksOthers ? 'ask others' : 'ask', purpose };
}

/** Transactions about the invoice wait for one that is about to commit an intent. */
export function isLocked({ state, index, process }: Actor): boolean {
  return state.processes.some(
    ({ at, database }, other) => at === 'T1' && other !== index && database === process.database,
  );
}

/** What follows a decline. */
export function afterDecline(setting: Setting): Partial<Process> {
  return setting.rules.cancelsDeclines ? { at: 'cancel' } : afterCancel(setting);
}

/** What follows once the object can't be captured any more. */
export function afterCancel(setting: Setting): Partial<Process> {
  return setting.rules.asksBeforeFailing ? question(setting, 'fail') : { at: 'fail' };
}
