import type { InvoiceWithAttempts } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { type BankAnswer, findOutcome, type Outcome } from './outcome.ts';
import { forgetPending, type Pending, readPending, rememberPending } from './pending.ts';

export type PayState = { step: 'idle' } | { step: 'paying' } | { step: 'findingOut' } | Outcome;

export type Pay = {
  state: PayState;
  /** Pays once, however often it is called. @param prepare - runs before, such as to make another card the default */
  pay: (prepare?: () => Promise<unknown>) => void;
  /** The bank has got an answer about the payment that waited for it. */
  answered: (answer: BankAnswer) => void;
  /** Shows when the service has charged a new default card by itself. */
  watch: () => void;
  /** Forgets an outcome that has been read. */
  reset: () => void;
};

/** Pays an invoice. A payment that this browser has begun goes on after a reload, with the same idempotency key. */
export function usePay(invoice: InvoiceWithAttempts): Pay {
  const { id } = invoice;
  const queryClient = useQueryClient();
  const [isWatching, setIsWatching] = useState(false);
  const [state, setState] = useState<PayState>(() => ({ step: readPending(id) === null ? 'idle' : 'findingOut' }));
  const running = useRef(false);
  const onOutcome = async () => {
    for (const key of ['cards', 'paypal-accounts', 'credit', 'invoices']) {
      await queryClient.invalidateQueries({ queryKey: [key] });
    }
    await queryClient.invalidateQueries({ queryKey: ['overview'] });
  };
  const follow = useFollow(id, running, setState, onOutcome);
  const watched = useWatched(id, isWatching && state.step === 'idle');
  const isPaidByItself = watched?.state === 'paid';
  const asked = watched?.payment?.status === 'RequiresAction' ? watched.payment.nextAction : null;
  useEffect(() => {
    if (running.current) return;
    if (isPaidByItself) setState({ step: 'paid' });
    if (asked === null) return;
    setIsWatching(false);
    setState({ step: 'confirm', action: asked });
    void queryClient.invalidateQueries({ queryKey: ['invoices', id] });
  }, [isPaidByItself, asked, id, queryClient]);
  const pay = (prepare?: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setState({ step: 'paying' });
    const pending = { key: crypto.randomUUID(), before: invoice.payment?.id ?? null };
    void (async () => {
      try {
        await prepare?.();
      } catch (error) {
        running.current = false;
        setState({ step: 'notCharged', error });
        return;
      }
      rememberPending(id, pending);
      await follow(pending);
    })();
  };
  const answered = useCallback(
    (answer: BankAnswer) => {
      if (running.current) return;
      setState({ step: 'findingOut' });
      void follow({ key: crypto.randomUUID(), before: null }, answer);
    },
    [follow],
  );
  const reset = () => {
    setState({ step: 'idle' });
    if (isPaidByItself) void onOutcome();
  };
  return { state, pay, answered, watch: () => setIsWatching(true), reset };
}

const WATCH_MS = 1_000;

/** The invoice as it is, as long as somebody watches. */
function useWatched(invoiceId: string, isWatched: boolean): InvoiceWithAttempts | undefined {
  const { data } = useQuery({
    queryKey: ['watched-invoice', invoiceId],
    queryFn: ({ signal }) => paydesk().invoices.get(invoiceId, { signal }),
    refetchInterval: WATCH_MS,
    enabled: isWatched,
  });
  return data;
}

/** Follows a payment to its outcome, and takes up one that was begun before a reload. */
function useFollow(
  invoiceId: string,
  running: { current: boolean },
  setState: (state: PayState) => void,
  onOutcome: () => Promise<void>,
) {
  const isShown = useRef(true);
  const done = useRef(onOutcome);
  done.current = onOutcome;
  const follow = useCallback(
    async (pending: Pending, answer?: BankAnswer) => {
      running.current = true;
      const outcome = await findOutcome({
        client: paydesk(),
        invoiceId,
        pending,
        ...(answer === undefined ? {} : { answer }),
        isWanted: () => isShown.current,
        onWait: () => setState({ step: 'findingOut' }),
      })
        // What is no answer about the payment, such as that the session is over, meets the page when it reads the invoice again.
        .catch(() => null)
        .finally(() => {
          running.current = false;
        });
      if (outcome !== null) forgetPending(invoiceId);
      await done.current();
      if (outcome === null) return;
      setState(outcome);
    },
    [invoiceId, running, setState],
  );
  useEffect(() => {
    isShown.current = true;
    const pending = readPending(invoiceId);
    if (pending !== null && !running.current) void follow(pending);
    return () => {
      isShown.current = false;
    };
  }, [invoiceId, follow, running]);
  return follow;
}
