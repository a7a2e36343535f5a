import type { InvoiceWithAttempts } from '@paydesk/client';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { ShareLink } from '../invoice-link/share-link.tsx';
import { useInvoiceLinkText } from '../invoice-link/text.ts';
import { isDebit } from '../pay/outcome.ts';
import type { Pay } from '../pay/use-pay.ts';
import { dueOf } from './amounts.ts';
import { useInvoiceText } from './text.ts';
import { useDownload } from './use-download.ts';

const PayDialog = lazy(() => import('../pay/pay-dialog.tsx').then(({ PayDialog: dialog }) => ({ default: dialog })));

/** Pays the invoice, and saves it as a file. */
export function InvoiceActions({ invoice, pay }: { invoice: InvoiceWithAttempts; pay: Pay }) {
  const t = useInvoiceText();
  const format = useFormat();
  // The sum that the dialog names stays while it is open, although the invoice is paid then.
  const [paid, setPaid] = useState<string | null>(null);
  const pdf = useDownload();
  const reason = useReason(invoice, pay);
  const due = dueOf(invoice);
  return (
    <>
      <Button
        icon={<Download aria-hidden="true" />}
        pending={pdf.isPending}
        onClick={() =>
          void pdf.submit({ read: () => paydesk().invoices.pdf(invoice.id), name: `${invoice.number}.pdf` })
        }
      >
        {t('download')}
      </Button>
      <ShareInvoice invoice={invoice} />
      {invoice.state === 'open' ? (
        <Button variant="primary" disabledReason={reason} onClick={() => setPaid(due)}>
          {invoice.payment?.status === 'RequiresAction'
            ? t('confirm')
            : t('pay', { amount: format.money(due, invoice.currency) })}
        </Button>
      ) : null}
      <Suspense fallback={null}>
        {paid === null ? null : <PayDialog invoice={invoice} due={paid} pay={pay} onClose={() => setPaid(null)} />}
      </Suspense>
    </>
  );
}

function ShareInvoice({ invoice }: { invoice: InvoiceWithAttempts }) {
  const t = useInvoiceLinkText();
  const mayChange = useMay()('platform.billing.all');
  return (
    <ShareLink
      invoice={invoice}
      link={paydesk().invoices.link}
      disabledReason={mayChange ? undefined : t('notAllowed')}
    />
  );
}

/** Why the invoice can't be paid now. */
function useReason({ payment, collection }: InvoiceWithAttempts, { state: { step } }: Pay): string | undefined {
  const t = useInvoiceText();
  const may = useMay();
  if (!may('platform.billing.all')) return t('reasons.role');
  if (payment?.status === 'Processing' && isDebit(payment)) return t('reasons.debit');
  if (step === 'findingOut' || payment?.status === 'Processing') return t('reasons.findingOut');
  if (step === 'review' || payment?.status === 'NeedsReview') return t('reasons.review');
  if (collection.state === 'awaiting_release') return t('reasons.awaitingRelease');
  return undefined;
}
