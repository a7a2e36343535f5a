import type { OperatorInvoice } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSubmit } from '../../forms/use-submit.ts';
import { useToast } from '../../ui/toast/toast.tsx';

/**
 * A dialog that changes an invoice: whether it is open, what it does once, and what is wrong. The errors of the amount and the reason are
 * for their fields.
 *
 * @param done - says what has happened, perhaps by the answer
 */
export function useInvoiceAction<Input, Answer>(
  { id }: OperatorInvoice,
  action: (input: Input, options: { idempotencyKey: string }) => Promise<Answer>,
  done: string | ((answer: Answer) => string),
) {
  const toast = useToast();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const submitting = useSubmit(action, {
    onDone: (answer) => {
      setIsOpen(false);
      toast.add({ title: typeof done === 'string' ? done : done(answer) });
      for (const queryKey of [['operator-invoices'], ['operator-invoices', id]])
        void queries.invalidateQueries({ queryKey });
    },
  });
  const { amount, reason, ...others } = submitting.errors;
  const error = submitting.message ?? Object.values(others)[0];
  return { ...submitting, error, isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}
