import type { InvoiceWithPayment } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { add, subtract } from '../../format/amount.ts';
import { useFormat } from '../../format/format.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import type { BulkAction, BulkOptions } from '../../lists/bulk/bulk.ts';
import { useOperatorInvoicesText } from './text.ts';

/** What can be done with several invoices at once, if the role may. */
export function useInvoicesBulk(): BulkOptions<InvoiceWithPayment> | undefined {
  const t = useOperatorInvoicesText();
  const reason = useLacksRole('finance');
  if (reason !== undefined) return undefined;
  const { invoices } = paydesk().operator;
  const actions: BulkAction<InvoiceWithPayment>[] = [
    {
      id: 'charge',
      label: t('charge'),
      title: (count) => t('chargeMany', { count }),
      preview: (chosen) => <Preview text={t('chargeManyText')} invoices={chosen} />,
      run: ([id = ''], options) => invoices.charge(id, options),
    },
    {
      id: 'void',
      label: t('void'),
      title: (count) => t('voidMany', { count }),
      tone: 'danger',
      preview: (chosen) => <Preview text={t('voidManyText')} invoices={chosen} />,
      run: ([id = ''], options) => invoices.void(id, options),
    },
  ];
  return { actions, canSelect: ({ state }) => state === 'open', nameOf: ({ number }) => number };
}

/** How many they are and what they come to, less what was credited, in each currency. */
function Preview({ text, invoices }: { text: string; invoices: readonly InvoiceWithPayment[] }) {
  const t = useOperatorInvoicesText();
  const format = useFormat();
  const currencies = [...new Set(invoices.map(({ currency }) => currency))].sort();
  return (
    <>
      <ul>
        {currencies.map((currency) => {
          const own = invoices.filter((invoice) => invoice.currency === currency);
          const amount = add(...own.map(({ total, creditedTotal }) => subtract(total, creditedTotal)));
          return <li key={currency}>{t('sum', { count: own.length, amount: format.money(amount, currency) })}</li>;
        })}
      </ul>
      <p>{text}</p>
    </>
  );
}
