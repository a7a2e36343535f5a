import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant, Money, Period } from '../../format/values.tsx';
import { Page } from '../../shell/page.tsx';
import { Description } from '../../ui/description/description.tsx';
import { StateBadge } from './state-badge.tsx';
import { useInvoicesText } from './text.ts';

/** One invoice of a company. */
export function InvoicePage() {
  const t = useInvoicesText();
  const { invoiceId } = useParams({ from: '/app/app/invoices/$invoiceId' });
  const { data: invoice } = useSuspenseQuery({
    queryKey: ['invoices', invoiceId],
    queryFn: ({ signal }) => paydesk().invoices.get(invoiceId, { signal }),
  });
  return (
    <Page
      title={t('invoice', { number: invoice.number })}
      badge={<StateBadge invoice={invoice} />}
      above={<Link to="/app/invoices">{t('title')}</Link>}
    >
      <Description
        items={[
          { term: t('total'), value: <Money amount={invoice.total} currency={invoice.currency} /> },
          { term: t('period'), value: <Period startAt={invoice.startAt} endAt={invoice.endAt} /> },
          { term: t('due'), value: <Instant value={invoice.dueAt} as="date" /> },
        ]}
      />
    </Page>
  );
}
