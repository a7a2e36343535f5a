import { formatDay, formatPeriod } from '../../../mail/money/money-mails.service.ts';
import type { MailLanguage } from '../../../platform/feature/mail-declaration.ts';
import { html, type Markup } from '../../../platform/http/reference/markup.ts';
import type { InvoiceOnPage } from './page.queries.ts';
import type { PageTexts } from './texts/words.ts';

type Details = {
  language: MailLanguage;
  invoice: InvoiceOnPage;
  seller: string;
  texts: PageTexts['details'];
  money: (amount: string) => string;
};

/** What is on the invoice: who, when, its lines and its sums. */
export function detailsOf({ language, invoice, seller, texts: t, money }: Details): Markup {
  const day = (instant: Date) => formatDay(language, instant, invoice.timezone);
  const { startAt, endAt, timezone } = invoice;
  const period = { startAt: startAt.toISOString(), endAt: endAt.toISOString(), timezone };
  const facts: [string, string][] = [
    [t.from, seller],
    [t.to, invoice.buyer],
    [t.number, invoice.number],
    [t.issued, day(invoice.issuedAt)],
    [t.due, day(invoice.dueAt)],
    [t.period, formatPeriod(language, period)],
  ];
  const sums: [string, string, boolean][] = [
    [t.subTotal, money(invoice.subTotal), true],
    [t.tax, money(invoice.tax), true],
    [t.total, money(invoice.total), true],
    [t.credited, `−${money(invoice.credited)}`, !isZero(invoice.credited)],
    [t.partPaid, `−${money(invoice.partPaid)}`, !isZero(invoice.partPaid)],
    [t.amountDue, money(invoice.amountDue), true],
  ];
  return html`<section class="details" aria-labelledby="details">
<h2 id="details">${t.title}</h2>
<dl>${facts.filter(([, value]) => value !== '').map(row)}</dl>
<table>
<thead><tr>
<th scope="col">${t.description}</th><th scope="col" class="end quantity">${t.quantity}</th><th scope="col" class="end">${t.amount}</th>
</tr></thead>
<tbody>${invoice.lines.map((line) => lineOf(line, language, invoice))}</tbody>
</table>
<dl class="sums">${sums.filter(([, , isShown]) => isShown).map(row)}</dl>
</section>`;
}

function row([label, value]: readonly [label: string, value: string, ...others: unknown[]]): Markup {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function lineOf(
  { title, quantity, amount }: InvoiceOnPage['lines'][number],
  language: MailLanguage,
  invoice: InvoiceOnPage,
) {
  const digits = {
    minimumFractionDigits: invoice.total.split('.')[1]?.length ?? 0,
    maximumFractionDigits: 20,
  } as const;
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: invoice.currency, ...digits });
  const count = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  const number = (text: string) => text as Intl.StringNumericLiteral;
  return html`<tr>
<td>${title}</td><td class="end quantity">${count.format(number(quantity))}</td><td class="end">${money.format(number(amount))}</td>
</tr>`;
}

function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}
