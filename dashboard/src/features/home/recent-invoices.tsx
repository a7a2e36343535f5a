import type { InvoiceWithPayment } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { Instant, Money, Period } from '../../format/values.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { StateBadge } from '../invoices/state-badge.tsx';
import { useHomeText } from './text.ts';

export function RecentInvoices({ invoices }: { invoices: readonly InvoiceWithPayment[] }) {
  const t = useHomeText();
  return (
    <Card
      title={t('recent.title')}
      actions={
        <Link to="/app/invoices" className={buttonClass({ size: 'small' })}>
          {t('recent.all')}
        </Link>
      }
    >
      {invoices.length === 0 ? (
        <EmptyState title={t('recent.empty')}>{t('recent.emptyText')}</EmptyState>
      ) : (
        <Table caption={t('recent.title')}>
          <thead>
            <tr>
              <Th>{t('recent.number')}</Th>
              <Th>{t('recent.period')}</Th>
              <Th>{t('recent.status')}</Th>
              <Th>{t('recent.due')}</Th>
              <Th align="end">{t('recent.total')}</Th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => (
              <TableRow key={invoice.id} isLink>
                <Td label={t('recent.number')}>
                  <Link to="/app/invoices/$invoiceId" params={{ invoiceId: invoice.id }}>
                    {invoice.number}
                  </Link>
                </Td>
                <Td label={t('recent.period')}>
                  <Period startAt={invoice.startAt} endAt={invoice.endAt} />
                </Td>
                <Td label={t('recent.status')}>
                  <StateBadge invoice={invoice} />
                </Td>
                <Td label={t('recent.due')}>
                  <Instant value={invoice.dueAt} as="date" />
                </Td>
                <Td label={t('recent.total')} numeric>
                  <Money amount={invoice.total} currency={invoice.currency} />
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
