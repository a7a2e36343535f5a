import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { paydesk } from '../../api/session.ts';
import { Instant, Period } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Page } from '../../shell/page.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { HistoryButton } from '../audit-log/history.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { CreditNotes } from '../invoice/credit-notes.tsx';
import { historyOf, isMoving } from '../invoice/events.ts';
import styles from '../invoice/invoice.module.css';
import { InvoiceLines } from '../invoice/invoice-lines.tsx';
import { InvoiceTimeline } from '../invoice/invoice-timeline.tsx';
import { StateBadge } from '../invoices/state-badge.tsx';
import { useInvoicesText } from '../invoices/text.ts';
import { MailsOf } from '../mails/mails-of.tsx';
import { OperatorInvoiceActions } from './invoice-actions.tsx';
import { useOperatorInvoicesText } from './text.ts';

const MOVING_INTERVAL_MS = 2_000;

/** One invoice, of any company: what it is for, what has happened to it, and what the operator can do. */
export function OperatorInvoicePage() {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const { invoiceId } = useParams({ from: '/console/console/invoices/$invoiceId' });
  const { data: invoice } = useSuspenseQuery({
    queryKey: ['operator-invoices', invoiceId],
    queryFn: ({ signal }) => paydesk().operator.invoices.get(invoiceId, { signal }),
    refetchInterval: ({ state: { data } }) => (isMoving(data?.payment?.status) ? MOVING_INTERVAL_MS : false),
  });
  const { data: creditNotes } = useSuspenseQuery({
    queryKey: ['operator-invoices', invoiceId, 'credit-notes'],
    queryFn: async ({ signal }) =>
      (await paydesk().operator.invoices.creditNotes.list(invoiceId, { perPage: 100 }, { signal })).data,
  });
  const title = useInvoicesText()('invoice', { number: invoice.number });
  return (
    <Page
      title={title}
      badge={<StateBadge invoice={invoice} />}
      above={
        <Link to="/console/invoices" className={styles.back}>
          <ChevronLeft aria-hidden="true" />
          {t('title')}
        </Link>
      }
      actions={
        <>
          <HistoryButton ids={historyOf(invoice, creditNotes)} name={invoice.number} />
          <OperatorInvoiceActions invoice={invoice} />
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          <Card>
            <Description
              items={[
                { term: words('words.company'), value: <NamedCompanyLink company={invoice} /> },
                {
                  term: words('words.period'),
                  value: <Period startAt={invoice.startAt} endAt={invoice.endAt} />,
                },
                { term: t('due'), value: <Instant value={invoice.dueAt} as="date" /> },
              ]}
            />
          </Card>
          <InvoiceLines invoice={invoice} />
          <CreditNotes creditNotes={creditNotes} />
          <MailsOf about={{ invoiceId }} />
        </div>
        <Card title={t('timeline')}>
          <InvoiceTimeline invoice={invoice} creditNotes={creditNotes} />
        </Card>
      </div>
    </Page>
  );
}
