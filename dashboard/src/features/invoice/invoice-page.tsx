import type { CreditNote, InvoiceWithAttempts } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Instant, Period } from '../../format/values.tsx';
import { Page } from '../../shell/page.tsx';
import { Card } from '../../ui/card/card.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { HistoryButton } from '../audit-log/history.tsx';
import { StateBadge } from '../invoices/state-badge.tsx';
import { usePay } from '../pay/use-pay.ts';
import { dueOf } from './amounts.ts';
import { CreditNotes } from './credit-notes.tsx';
import { historyOf, isMoving } from './events.ts';
import styles from './invoice.module.css';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceLines } from './invoice-lines.tsx';
import { InvoiceNotice } from './invoice-notice.tsx';
import { InvoiceTimeline } from './invoice-timeline.tsx';
import { useInvoiceText } from './text.ts';

const MOVING_INTERVAL_MS = 2_000;

/** One invoice of a company: what it is for, what is due, and everything that has happened to it or will. */
export function InvoicePage() {
  const { invoiceId } = useParams({ from: '/app/app/invoices/$invoiceId' });
  const { data: invoice } = useSuspenseQuery({
    queryKey: ['invoices', invoiceId],
    queryFn: ({ signal }) => paydesk().invoices.get(invoiceId, { signal }),
    refetchInterval: ({ state: { data } }) => (isMoving(data?.payment?.status) ? MOVING_INTERVAL_MS : false),
  });
  const { data: creditNotes } = useSuspenseQuery({
    queryKey: ['invoices', invoiceId, 'credit-notes'],
    queryFn: async ({ signal }) =>
      (await paydesk().invoices.creditNotes.list(invoiceId, { perPage: 100 }, { signal })).data,
  });
  return <InvoiceView key={invoiceId} invoice={invoice} creditNotes={creditNotes} />;
}

function InvoiceView({ invoice, creditNotes }: { invoice: InvoiceWithAttempts; creditNotes: readonly CreditNote[] }) {
  const t = useInvoiceText();
  const pay = usePay(invoice);
  const { number } = invoice;
  return (
    <Page
      title={t('title', { number })}
      badge={
        <>
          <CopyButton text={number} label={t('copy')} copiedLabel={t('copied')} />
          <StateBadge invoice={invoice} />
        </>
      }
      above={
        <Link to="/app/invoices" className={styles.back}>
          <ChevronLeft aria-hidden="true" />
          {t('invoices')}
        </Link>
      }
      actions={
        <>
          <HistoryButton ids={historyOf(invoice, creditNotes)} name={number} />
          <InvoiceActions invoice={invoice} pay={pay} />
        </>
      }
    >
      <div className={styles.page}>
        <InvoiceNotice invoice={invoice} step={pay.state.step} />
        <Facts invoice={invoice} />
        <div className={styles.columns}>
          <div className={styles.main}>
            <InvoiceLines invoice={invoice} />
            <CreditNotes creditNotes={creditNotes} readPdf={(id) => paydesk().creditNotes.pdf(id)} />
          </div>
          <Card title={t('timeline.title')}>
            <InvoiceTimeline invoice={invoice} creditNotes={creditNotes} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** The figures and dates that a reader looks for first. */
function Facts({ invoice }: { invoice: InvoiceWithAttempts }) {
  const t = useInvoiceText();
  const format = useFormat();
  const { state, total, currency, startAt, endAt, dueAt, createdAt, method } = invoice;
  const isOpen = state === 'open';
  return (
    <dl className={styles.facts}>
      <div className={styles.sum}>
        <dt>{t(isOpen ? 'due' : 'total')}</dt>
        <dd>{format.money(isOpen ? dueOf(invoice) : total, currency)}</dd>
      </div>
      {isOpen ? (
        <div>
          <dt>{t('dueOn')}</dt>
          <dd>
            <Instant value={dueAt} as="date" /> <span className={styles.muted}>({format.daysFromNow(dueAt)})</span>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>{t('issued')}</dt>
        <dd>
          <Instant value={createdAt} as="date" />
        </dd>
      </div>
      <div>
        <dt>{t('period')}</dt>
        <dd>
          <Period startAt={startAt} endAt={endAt} />
        </dd>
      </div>
      <div>
        <dt>{t('method')}</dt>
        <dd>{t(`methods.${method}`)}</dd>
      </div>
    </dl>
  );
}
