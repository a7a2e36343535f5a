/*
 * The states of a process that compares its database with the journals and the gateways, and how it goes from one to another. `watch.ts`
 * makes the comparisons and does what a state asks for.
 */

/** What a process knows of its database. */
export type State =
  /** It has compared nothing yet. */
  | 'starting'
  /** The database has all that it has to have, as far as was compared. */
  | 'sound'
  /** A journal of another machine is missing, which may start only now. */
  | 'waiting'
  /** During a hold a new connection lacked a mark: the database may have gone back once more. */
  | 'doubting'
  /** Something is missing, and the hold is not written yet. */
  | 'suspecting'
  /** The database holds charges. */
  | 'held';

/** What a comparison or a new connection shows. */
export type Finding =
  | 'nothing missing'
  /** A mark of a journal or an object of a gateway. */
  | 'something missing'
  | 'journal lost'
  /** A journal of another machine, which still has time to come. */
  | 'journal absent'
  /** A hold of the database. */
  | 'held'
  /** A new connection lacks a mark that the process knows. */
  | 'mark lacking';

/** The next state, for each state and each finding. */
export const TRANSITIONS: Readonly<Record<State, Readonly<Record<Finding, State>>>> = {
  starting: {
    ...{ 'nothing missing': 'sound', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'waiting', held: 'held', 'mark lacking': 'suspecting' },
  },
  sound: {
    ...{ 'nothing missing': 'sound', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'suspecting', held: 'held', 'mark lacking': 'suspecting' },
  },
  waiting: {
    ...{ 'nothing missing': 'sound', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'waiting', held: 'held', 'mark lacking': 'suspecting' },
  },
  doubting: {
    ...{ 'nothing missing': 'sound', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'suspecting', held: 'doubting', 'mark lacking': 'doubting' },
  },
  suspecting: {
    ...{ 'nothing missing': 'suspecting', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'suspecting', held: 'held', 'mark lacking': 'suspecting' },
  },
  held: {
    ...{ 'nothing missing': 'sound', 'something missing': 'suspecting', 'journal lost': 'suspecting' },
    ...{ 'journal absent': 'suspecting', held: 'held', 'mark lacking': 'doubting' },
  },
};

/** The states in which this process holds itself. The database's hold holds all of them. */
export const HOLDS_ITSELF: ReadonlySet<State> = new Set<State>(['waiting', 'doubting', 'suspecting']);

/** What the journals show. `mayCome`: of a lost journal, whether it was kept on another machine. */
export type Seen = { isHeld: boolean; isMissing: boolean; loss: { mayCome: boolean } | null; isPatient: boolean };

/** Says what a comparison of the journals has found. `isPatient`: whether other machines still have time to bring a journal. */
export function findingOf({ isHeld, isMissing, loss, isPatient }: Seen): Finding {
  if (isHeld) return 'held';
  if (isMissing) return 'something missing';
  if (loss === null) return 'nothing missing';
  return loss.mayCome && isPatient ? 'journal absent' : 'journal lost';
}
