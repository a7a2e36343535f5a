import type { OperatorBillingSettings } from '@paydesk/client';
import { totalsOf } from '../../format/amount.ts';
import { useFormat } from '../../format/format.ts';
import styles from './create-invoice.module.css';
import type { DraftLine } from './line-fields.tsx';
import { useOperatorInvoicesText } from './text.ts';

type Props = {
  lines: DraftLine[];
  currency: string;
  taxRate: string;
  settings: OperatorBillingSettings | undefined;
};

const DAY_MS = 86_400_000;

/** What the invoice will come to, and what happens then. */
export function InvoicePreview({ lines, currency, taxRate, settings }: Props) {
  const t = useOperatorInvoicesText();
  const format = useFormat();
  const code = currency.trim().toUpperCase();
  const digits = format.minorDigits(code);
  const rate = taxRate.trim() || '0';
  const amounts = lines.map(({ amount }) => amount.trim()).filter((amount) => amount !== '');
  const totals = digits === undefined || amounts.length === 0 ? undefined : totalsOf(amounts, rate, digits);
  const money = (amount: string | undefined) => (amount === undefined ? '–' : format.money(amount, code));
  const dueAt = new Date(Date.now() + (settings?.netDays ?? 0) * DAY_MS).toISOString();
  return (
    <section className={styles.preview} aria-label={t('preview')}>
      <dl className={styles.totals}>
        <div>
          <dt>{t('netTotal')}</dt>
          <dd>{money(totals?.net)}</dd>
        </div>
        <div>
          <dt>{totals === undefined ? t('tax') : t('taxAt', { rate: format.number(rate) })}</dt>
          <dd>{money(totals?.tax)}</dd>
        </div>
        <div className={styles.sum}>
          <dt>{t('total')}</dt>
          <dd>{money(totals?.total)}</dd>
        </div>
      </dl>
      {settings === undefined ? null : (
        <p>{t(settings.collectsAutomatically ? 'dueAutomatically' : 'dueManually', { date: format.date(dueAt) })}</p>
      )}
    </section>
  );
}
