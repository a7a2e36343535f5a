import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant, Money, Period } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Page } from '../../shell/page.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { StateBadge } from '../invoices/state-badge.tsx';
import { useInvoicesText } from '../invoices/text.ts';
import { useOperatorInvoicesText } from './text.ts';

/** One invoice, of any company. */
export function OperatorInvoicePage() {
  const t = useOperatorInvoicesText();
  const of = useInvoicesText();
  const words = useListsText();
  const { invoiceId } = useParams({ from: '/console/console/invoices/$invoiceId' });
  const { data: invoice } = useSuspenseQuery({
    queryKey: ['operator-invoices', invoiceId],
    queryFn: ({ signal }) => paydesk().operator.invoices.get(invoiceId, { signal }),
  });
  return (
    <Page
      title={of('invoice', { number: invoice.number })}
      badge={<StateBadge invoice={invoice} />}
      above={<Link to="/console/invoices">{t('title')}</Link>}
    >
      <Card title={words('words.invoice')}>
        <Description
          items={[
            { term: words('words.company'), value: <CompanyLink company={invoice} /> },
            { term: t('total'), value: <Money amount={invoice.total} currency={invoice.currency} /> },
            { term: words('words.period'), value: <Period startAt={invoice.startAt} endAt={invoice.endAt} /> },
            { term: t('due'), value: <Instant value={invoice.dueAt} as="date" /> },
          ]}
        />
      </Card>
    </Page>
  );
}
