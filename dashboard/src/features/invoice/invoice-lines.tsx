import type { InvoiceWithAttempts, LineItem } from '@paydesk/client';
import type { ReactNode } from 'react';
import { isPositive } from '../../format/amount.ts';
import { type Format, useFormat } from '../../format/format.ts';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { dueOf, paidOf } from './amounts.ts';
import styles from './invoice.module.css';
import { useInvoiceText } from './text.ts';

/** What the invoice is for, and what it comes to. */
export function InvoiceLines({ invoice }: { invoice: InvoiceWithAttempts }) {
  const t = useInvoiceText();
  const format = useFormat();
  const { details, currency, number } = invoice;
  return (
    <Card>
      <Table caption={t('lines.caption', { number })}>
        <thead>
          <tr>
            <Th>{t('lines.title')}</Th>
            <Th align="end">{t('lines.quantity')}</Th>
            <Th align="end">{t('lines.amount')}</Th>
          </tr>
        </thead>
        <tbody>
          {details.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an issued invoice keep their places.
            <TableRow key={index}>
              <Td label={t('lines.title')}>
                <Line line={line} format={format} />
              </Td>
              <Td label={t('lines.quantity')} numeric>
                {format.number(line.totalRequest)}
              </Td>
              <Td label={t('lines.amount')} numeric>
                {format.money(String(line.amount), currency)}
              </Td>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <Totals invoice={invoice} />
    </Card>
  );
}

function Line({ line, format }: { line: LineItem; format: Format }) {
  const t = useInvoiceText();
  const { title, path, kind, period, unitAmount, currency } = line;
  const notes = [
    path === '' || path === title ? null : path,
    unitAmount === undefined ? null : t('lines.each', { amount: format.unitAmount(unitAmount, currency) }),
    kind === 'adjustment' && period !== undefined
      ? t('lines.adjustment', { period: format.period(period.startAt, period.endAt) })
      : null,
    kind === 'carry_over' ? t('lines.carryOver') : null,
  ].filter((note) => note !== null);
  return (
    <div className={styles.line}>
      <span>{title}</span>
      {notes.map((note) => (
        <span key={note} className={styles.note}>
          {note}
        </span>
      ))}
    </div>
  );
}

function Totals({ invoice }: { invoice: InvoiceWithAttempts }) {
  const t = useInvoiceText();
  const format = useFormat();
  const { state, currency, subTotal, taxes, total, creditedTotal, refundedTotal, reverseCharge } = invoice;
  const money = (amount: string) => format.money(amount, currency);
  const less = (amount: string) => money(`-${amount}`);
  const paid = paidOf(invoice);
  return (
    <dl className={styles.totals}>
      <Row term={t('totals.subTotal')}>{money(subTotal)}</Row>
      {taxes.map(({ rate, tax }) => (
        <Row key={rate} term={t('totals.tax', { rate: format.percent(Number(rate) / 100) })}>
          {money(tax)}
        </Row>
      ))}
      {reverseCharge ? <p className={styles.note}>{t('totals.reverseCharge')}</p> : null}
      <Row term={t('totals.total')} isStrong>
        {money(total)}
      </Row>
      {isPositive(creditedTotal) ? <Row term={t('totals.credited')}>{less(creditedTotal)}</Row> : null}
      {isPositive(paid) ? <Row term={t('totals.paid')}>{less(paid)}</Row> : null}
      {isPositive(refundedTotal) ? <Row term={t('totals.refunded')}>{money(refundedTotal)}</Row> : null}
      {state === 'void' ? null : (
        <Row term={t('totals.due')} isStrong>
          {money(dueOf(invoice))}
        </Row>
      )}
    </dl>
  );
}

function Row({ term, isStrong, children }: { term: string; isStrong?: true; children: ReactNode }) {
  return (
    <div className={isStrong === true ? styles.strong : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
