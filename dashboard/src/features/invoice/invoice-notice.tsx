import type { InvoiceWithAttempts } from '@paydesk/client';
import { Banner } from '../../ui/banner/banner.tsx';
import { isDebit } from '../pay/outcome.ts';
import type { PayState } from '../pay/use-pay.ts';
import { useInvoiceText } from './text.ts';

/** What the reader has to know at once: that an outcome is being found out, or that somebody has to act. */
export function InvoiceNotice({ invoice, step }: { invoice: InvoiceWithAttempts; step: PayState['step'] }) {
  const { state, payment, collection } = invoice;
  return <div role="status">{state === 'open' ? notice() : null}</div>;

  function notice() {
    if (payment?.status === 'RequiresAction') return <Told kind="confirm" tone="warning" />;
    if (payment?.status === 'Processing' && isDebit(payment)) return <Told kind="debit" tone="info" />;
    if (step === 'findingOut' || payment?.status === 'Processing') return <Told kind="findingOut" tone="info" />;
    if (step === 'review' || payment?.status === 'NeedsReview') return <Told kind="review" tone="warning" />;
    if (collection.state === 'awaiting_release') return <Told kind="awaitingRelease" tone="info" />;
    if (collection.state === 'exhausted') return <Told kind="exhausted" tone="warning" />;
    return null;
  }
}

function Told({
  kind,
  tone,
}: {
  kind: 'findingOut' | 'confirm' | 'debit' | 'review' | 'awaitingRelease' | 'exhausted';
  tone: 'info' | 'warning';
}) {
  const t = useInvoiceText();
  return (
    <Banner tone={tone} title={t(`notices.${kind}.title`)}>
      {t(`notices.${kind}.text`)}
    </Banner>
  );
}
