import { appendFileSync } from 'node:fs';

/*
 * The steps of charges, holds and adopting, for tests that compare a run with the model of the charge (docs/internals/model.md).
 * `STEPS_FILE` names the file that they are appended to, which a production start refuses; without it nothing is written.
 */

/** A step as it begins: what it is about, by the ids of the books and of the gateway. */
export type ObservedStep = ChargeStep | { step: 'hold begins' | 'hold ends' };
type ChargeStep = {
  step:
    | 'T1'
    | 'ask'
    | 'create'
    | 'skip'
    | 'T2'
    | 'confirm'
    | 'find'
    | 'cancel'
    | 'await customer'
    | 'await bank'
    | 'T3'
    | 'fail'
    | 'refuse'
    | 'withdraw'
    | 'adopt'
    | 'adopt: cancel'
    | 'adopt: capture'
    | 'adopt: debit'
    | 'resolve';
  debt?: string;
  /** Without one nothing is written: what is asked before credit alone settles an invoice is no step of a charge. */
  payment: string | undefined;
  object?: string;
  sequence?: number;
};

let file: string | null = null;
let count = 0;

/** Writes the steps of this process to a file from now on. */
export function observeSteps(path: string | undefined): void {
  file = path ?? null;
}

/**
 * Does a step of a charge. A test sees a line before and one after it, with what `tell` says of the result, or with the error's kind.
 */
export async function observed<T>(
  step: ObservedStep,
  act: () => Promise<T>,
  tell: (result: T) => object = () => ({}),
): Promise<T> {
  if (file === null || ('payment' in step && step.payment === undefined)) return act();
  count += 1;
  const operation = String(count);
  write({ operation, ...step });
  try {
    const result = await act();
    write({ operation, ...tell(result) });
    return result;
  } catch (error) {
    const isKnown = typeof error === 'object' && error !== null && 'kind' in error;
    write({ operation, error: isKnown ? error.kind : 'error' });
    throw error;
  }
}

/** A step that begins here and ends elsewhere, under a name of its own. */
export function beginStep(operation: string, step: ObservedStep): void {
  write({ operation, ...step });
}

/** The end of such a step. */
export function endStep(operation: string): void {
  write({ operation });
}

/** One write to a file that is open for appending: lines of several processes are in the order in which they were written. */
function write(line: object): void {
  if (file !== null) appendFileSync(file, `${JSON.stringify({ process: process.pid, ...line })}\n`);
}
