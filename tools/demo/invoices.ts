import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { begin, DemoError, tell } from './client.ts';
import { type Admin, chooseCard, type SavedCard, type Setting, saveCard } from './company.ts';
import { count, day, money, startOfMonth } from './format.ts';
import type { Month } from './operator.ts';

/*
 * What becomes of usage: what the company reads, and how it pays.
 */

type Line = { title: string; path: string; totalRequest: string; amount: number };
type Amounts = { currency: string; details: Line[]; subTotal: string; taxRate: string; tax: string; total: string };
type Invoice = Amounts & { id: string; number: string; status: string; paymentId: string | null };
type Payment = { amount: string; currency: string; card: { brand: string; cardNumber: string } };
type InvoiceList = { total: number; data: (Invoice & { payment: Payment | null })[] };
type UsageList = { total: number; data: { path: string; start: string; quantity: string }[] };
type Refusal = { error: { code: string; declineCode?: string; message: string } };

const PDF_NAME = 'paydesk-demo-invoice.pdf';
const CARD_WITHOUT_FUNDS = '4000 0000 0000 9995';

/** What was used, day by day; exact as soon as it was reported. */
export async function readUsage(
  { client }: Setting,
  { token: credential }: Admin,
  { startAt, endAt }: Month,
): Promise<void> {
  begin('Ada reads what her company used, by day');
  const dates = `from=${startAt.toISOString().slice(0, 10)}&to=${endAt.toISOString().slice(0, 10)}`;
  const { body } = await client.call<UsageList>('GET', `/payments/usage?${dates}&granularity=day`, 200, { credential });
  for (const { start, path, quantity } of body.data) {
    tell(`${day(start).padEnd(18)} ${path.padEnd(20)} ${count(quantity).padStart(7)}`);
  }
}

/** The invoice of the month that is not over yet, as it would be now. */
export async function readUpcoming({ client }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She looks at the invoice to come: what this month costs so far');
  const { body } = await client.call<Amounts & { period: string }>('GET', '/payments/upcoming-invoice', 200, {
    credential,
  });
  tell(body.period);
  tellAmounts(body);
}

function tellAmounts({ currency, details, subTotal, taxRate, tax, total }: Amounts): void {
  const row = (label: string, requests: string, amount: string | number) =>
    tell(`${label.padEnd(36)} ${requests.padStart(7)} ${money(amount, currency).padStart(9)}`);
  for (const { title, path, totalRequest, amount } of details) row(`${title} ${path}`, count(totalRequest), amount);
  row('Subtotal', '', subTotal);
  row(`Tax (${taxRate}%)`, '', tax);
  row('Total', '', total);
}

/** The invoice that the run made. */
export async function findInvoice({ client }: Setting, { token: credential }: Admin, month: Month): Promise<Invoice> {
  begin(`She finds the invoice of ${month.period}, and reads it`);
  const dates = `startAt=${month.startAt.toISOString()}&endAt=${month.endAt.toISOString()}`;
  const { body } = await client.call<InvoiceList>('GET', `/payments/orders?${dates}`, 200, { credential });
  const [invoice] = body.data;
  if (invoice === undefined) {
    throw new DemoError(`The billing run of ${month.period} made no invoice for the new company.`);
  }
  tell(`${invoice.number}, ${invoice.status}`);
  tellAmounts(invoice);
  return invoice;
}

/** Pays twice, which charges once. */
export async function pay({ client }: Setting, { token: credential }: Admin, { id }: Invoice): Promise<void> {
  begin('She pays it, and pays it again: nothing is charged twice');
  for (const _attempt of ['first', 'second']) {
    const { body } = await client.call<Invoice>('PUT', `/payments/orders/${id}/pay`, 200, { credential });
    tell(`${body.status}, payment ${body.paymentId}`);
  }
}

/** Saves the invoice's PDF: in this folder, or at `target`, which is a folder or a file's name. */
export async function savePdf(
  { client }: Setting,
  { token }: Admin,
  { id }: Invoice,
  target: string | undefined,
): Promise<void> {
  begin('She keeps it as a PDF');
  const bytes = await client.download(`/payments/orders/${id}/pdf`, token);
  // npm starts the demo in the project's folder, and says where it was called.
  const path = resolve(process.env.INIT_CWD ?? '.', target ?? '.');
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, PDF_NAME) : path;
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw new DemoError(`The PDF can't be written to ${file}: ${error instanceof Error ? error.message : error}`);
  }
  tell(`${count(bytes.length)} bytes in ${file}`);
}

/** Lists the invoices that are paid. */
export async function listInvoices({ client }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She lists the invoices that are paid');
  const path = '/payments/orders?status=succeeded&perPage=5';
  const { body } = await client.call<InvoiceList>('GET', path, 200, { credential });
  for (const { number, status, payment } of body.data) {
    if (payment === null) continue;
    const { amount, currency, card } = payment;
    tell(`${number} ${status}: ${money(amount, currency)} from ${card.brand} ${card.cardNumber}`);
  }
}

/** A card that the bank refuses: the invoice fails, and recovers with another card. */
export async function recoverFromDecline(setting: Setting, admin: Admin, saved: SavedCard): Promise<void> {
  const { client } = setting;
  const { token: credential } = admin;
  begin('An invoice that the operator writes by hand meets a card without funds');
  await saveCard(setting, admin, saved.addressId, CARD_WITHOUT_FUNDS);
  const { id } = await billByHand(setting, admin);
  const { body: refused } = await client.call<Refusal>('PUT', `/payments/orders/${id}/pay`, 402, { credential });
  tell(`${refused.error.code}: ${refused.error.declineCode}`);
  const { body: failed } = await client.call<InvoiceList>('GET', `/payments/orders?receipt=${id}`, 200, { credential });
  tell(`${failed.data[0]?.number} is ${failed.data[0]?.status}`);

  begin('She makes the good card the default again, and the invoice recovers');
  await chooseCard(setting, admin, saved);
  const { body: paid } = await client.call<Invoice>('PUT', `/payments/orders/${id}/pay`, 200, { credential });
  tell(`${paid.number} is ${paid.status}`);
}

async function billByHand({ client, operatorKey }: Setting, { companyId }: Admin): Promise<Invoice> {
  const now = new Date();
  const line = { title: 'Onboarding workshop', path: '/workshops', totalRequest: 1, currency: 'USD', amount: '250.00' };
  const body = { companyId, startAt: startOfMonth(now), endAt: startOfMonth(now, 1), taxRate: '20', details: [line] };
  const { body: invoice } = await client.call<Invoice>('POST', '/operator/invoices', 201, {
    credential: operatorKey,
    body,
  });
  tell(`${invoice.number} over ${money(invoice.total, invoice.currency)}, ${invoice.status}`);
  return invoice;
}
