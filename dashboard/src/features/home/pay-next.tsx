import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { dueOf } from '../invoice/amounts.ts';
import { PayDialog } from '../pay/pay-dialog.tsx';
import { usePay } from '../pay/use-pay.ts';

/** Pays the invoice that has been due the longest, or is due next. */
export function PayNext({ currency, onClose }: { currency: string; onClose: () => void }) {
  // Which invoice it is does not change while the dialog is open, although it is paid then.
  const { data: invoiceId } = useSuspenseQuery({
    queryKey: ['next-to-pay', currency],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data } = await paydesk().invoices.list({ state: 'open', currency, perPage: 100 }, { signal });
      return data.toSorted((one, other) => Date.parse(one.dueAt) - Date.parse(other.dueAt))[0]?.id ?? null;
    },
  });
  return invoiceId === null ? null : <PayOne invoiceId={invoiceId} onClose={onClose} />;
}

function PayOne({ invoiceId, onClose }: { invoiceId: string; onClose: () => void }) {
  const { data: invoice } = useSuspenseQuery({
    queryKey: ['invoices', invoiceId],
    queryFn: ({ signal }) => paydesk().invoices.get(invoiceId, { signal }),
  });
  const [due] = useState(() => dueOf(invoice));
  return <PayDialog invoice={invoice} due={due} pay={usePay(invoice)} onClose={onClose} />;
}
