import type { Repetition } from '../../background/background.ts';
import type { Db } from '../../database/database.ts';
import { type Question, selectDue } from './due.worker.queries.ts';

export type { Question } from './due.worker.queries.ts';

const ROUND_MS = 500;

type Waiting = { name: string; resolve: (isDue: boolean) => void };
type Asker = { until: (question: Question, signal: AbortSignal) => Promise<boolean> };

/** Those of all pools of this process. */
const askers = new WeakMap<Db, Asker>();

/**
 * Waits until a question has the answer yes, asked at once and then each half second. All questions that this process waits for are one
 * statement. A database that does not answer counts as yes: whoever waited finds out what is wrong.
 * @returns false when the signal was aborted
 */
export function untilDue(db: Db, question: Question, signal: AbortSignal): Promise<boolean> {
  const asker = askers.get(db) ?? createAsker(db);
  askers.set(db, asker);
  return asker.until(question, signal);
}

/** The rhythm of work that is repeated only while a question has the answer yes, and begins at most `everyMs` after it becomes so. */
export function whenDue(db: Db, question: Question, everyMs: number): Pick<Repetition, 'everyMs' | 'untilDue'> {
  return { everyMs: Math.max(0, everyMs - ROUND_MS), untilDue: (signal) => untilDue(db, question, signal) };
}

function createAsker(db: Db): Asker {
  /** All that were ever asked, in one order, so that the statement stays the same. */
  const questions = new Map<string, Question>();
  const waiting = new Set<Waiting>();
  let isPlanned = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const plan = () => {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    setTimeout(ask, Math.max(0, askedAtMs + ROUND_MS - performance.now())).unref();
  };
  const ask = async () => {
    askedAtMs = performance.now();
    const asked = [...waiting];
    const due = asked.length === 0 ? null : await selectDue(db, [...questions.values()]).catch(() => null);
    for (const { name, resolve } of asked) if (due === null || due.has(name)) resolve(true);
    isPlanned = false;
    plan();
  };
  return {
    until: async (question, signal) => {
      if (signal.aborted) return false;
      questions.set(question.name, question);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const one = { name: question.name, resolve };
      const abort = () => resolve(false);
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(one);
      plan();
      const isDue = await promise;
      waiting.delete(one);
      signal.removeEventListener('abort', abort);
      return isDue;
    },
  };
}
