import type { LineItem, UpcomingInvoice, UsageSum } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Money, Period } from '../../format/values.tsx';
import { ListPart, Part } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { Thresholds } from '../usage/thresholds.tsx';
import styles from './company.module.css';
import { CompanyFrame } from './company-frame.tsx';
import { useCompanyText } from './text.ts';

/** What a company has used this month, and what it will be billed for it. */
export function CompanyUsagePage() {
  return (
    <CompanyFrame part="usage">
      {({ id }) => (
        <>
          <UpcomingPart companyId={id} />
          <UsageOfMonth companyId={id} />
          <Thresholds companyId={id} />
        </>
      )}
    </CompanyFrame>
  );
}

function UsageOfMonth({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const words = useListsText();
  const format = useFormat();
  const columns: Column<UsageSum>[] = [
    { id: 'path', header: words('words.path'), cell: ({ path }) => <code>{path}</code> },
    {
      id: 'quantity',
      header: words('words.quantity'),
      cell: ({ quantity }) => format.number(quantity),
      isNumeric: true,
    },
  ];
  return (
    <ListPart
      title={t('usageTitle')}
      description={t('usageText')}
      actions={
        <Link to="/console/usage" search={{ companyId }} className={buttonClass({ size: 'small' })}>
          {t('allUsage')}
        </Link>
      }
      queryKey={['companies', companyId, 'usage']}
      read={async (options) => {
        const month = { companyId, granularity: 'month', from: `${new Date().toISOString().slice(0, 7)}-01` } as const;
        return (await paydesk().operator.usage.list({ ...month, perPage: 100 }, options)).data;
      }}
      columns={columns}
      rowId={({ path }) => path}
      empty={t('noUsage')}
    />
  );
}

function UpcomingPart({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  return (
    <Part
      title={t('upcomingTitle')}
      description={t('upcomingText')}
      queryKey={['companies', companyId, 'upcoming-invoice']}
      read={(options) => paydesk().operator.companies.upcomingInvoice.get(companyId, {}, options)}
    >
      {(invoice) => <Upcoming invoice={invoice} />}
    </Part>
  );
}

function Upcoming({ invoice }: { invoice: UpcomingInvoice }) {
  const t = useCompanyText();
  const words = useListsText();
  const format = useFormat();
  const { startAt, endAt, details, currency, subTotal, tax, total, unpricedPaths } = invoice;
  const idOf = ({ title, path, kind, priceId, itemId, period }: LineItem) =>
    [title, path, kind, priceId, itemId, period?.startAt].join(' ');
  return (
    <div className={styles.parts}>
      {unpricedPaths.length === 0 ? null : (
        <Banner tone="warning" title={t('unpriced')}>
          {unpricedPaths.join(', ')}
        </Banner>
      )}
      {details.length === 0 ? null : (
        <Table caption={t('upcomingTitle')}>
          <thead>
            <tr>
              <Th>{t('line')}</Th>
              <Th align="end">{words('words.quantity')}</Th>
              <Th align="end">{words('words.amount')}</Th>
            </tr>
          </thead>
          <tbody>
            {details.map((line) => (
              <TableRow key={idOf(line)}>
                <Td label={t('line')}>{line.title}</Td>
                <Td label={words('words.quantity')} numeric>
                  {format.number(line.totalRequest)}
                </Td>
                <Td label={words('words.amount')} numeric>
                  <Money amount={String(line.amount)} currency={currency} />
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
      <Description
        items={[
          { term: words('words.period'), value: <Period startAt={startAt} endAt={endAt} /> },
          { term: t('net'), value: <Money amount={subTotal} currency={currency} /> },
          { term: t('tax'), value: <Money amount={tax} currency={currency} /> },
          {
            term: t('total'),
            value: (
              <strong>
                <Money amount={total} currency={currency} />
              </strong>
            ),
          },
        ]}
      />
    </div>
  );
}
