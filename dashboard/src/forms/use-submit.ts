import { isPaydeskError, PaydeskConnectionError } from '@paydesk/client';
import { useRef, useState } from 'react';
import { useFormsText } from './text.ts';

export type Failure = {
  /** The texts for the fields, by their names. */
  errors: Record<string, string>;
  /** What is wrong with the whole form; undefined if the fields say it. */
  message?: string;
  requestId?: string;
};

/**
 * Runs an action once at a time, and with the same idempotency key until it has an outcome: a double click or a retry after a lost answer
 * has one effect.
 *
 * @param action - throws what the client throws
 */
export function useSubmit<Input, Result>(
  action: (input: Input, options: { idempotencyKey: string }) => Promise<Result>,
  { onDone, onFailure }: { onDone?: (result: Result) => void; onFailure?: (failure: Failure) => void } = {},
) {
  const failureOf = useFailure();
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<Failure>({ errors: {} });
  const key = useRef<string | null>(null);
  const running = useRef(false);
  const submit = async (input: Input): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setIsPending(true);
    setFailure({ errors: {} });
    key.current ??= crypto.randomUUID();
    try {
      const result = await action(input, { idempotencyKey: key.current });
      key.current = null;
      onDone?.(result);
    } catch (error) {
      // Without an answer, the next try repeats the same request; after an answer it is a new one.
      if (!(error instanceof PaydeskConnectionError)) key.current = null;
      const told = failureOf(error);
      setFailure(told);
      onFailure?.(told);
    } finally {
      running.current = false;
      setIsPending(false);
    }
  };
  return { submit, isPending, ...failure, clear: () => setFailure({ errors: {} }) };
}

/** Returns how an error is told to a person: at its fields, or in a sentence. */
export function useFailure(): (error: unknown) => Failure {
  const t = useFormsText();
  return (error) => {
    if (error instanceof PaydeskConnectionError) return { errors: {}, message: t('noAnswer') };
    if (!isPaydeskError(error)) throw error;
    const errors = Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
    const requestId = error.requestId ?? undefined;
    if (error.code === 'rate_limited')
      return { errors, requestId, message: t('tooMany', { seconds: error.retryAfterSeconds ?? 60 }) };
    if (error.status >= 500) return { errors, requestId, message: t('ours') };
    return Object.keys(errors).length > 0 ? { errors, requestId } : { errors, requestId, message: error.message };
  };
}
