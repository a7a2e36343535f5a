import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Invoice, isPaydeskError } from '../../packages/client/src/index.ts';
import { TerminalError } from '../paydesk/access.ts';
import { type Admin, chooseCard, type SavedCard, type Setting, saveCard, setUpCard } from './company.ts';
import { count, day, money, startOfMonth } from './format.ts';
import type { Month } from './operator.ts';
import { printDetail, printStep } from './output.ts';

/* What follows from usage: what the company reads, and how it pays. */

type Amounts = Pick<Invoice, 'currency' | 'details' | 'subTotal' | 'taxRate' | 'tax' | 'total'>;

const PDF_NAME = 'paydesk-demo-invoice.pdf';
const CARD_WITHOUT_FUNDS = '4000 0000 0000 9995';
const CARD_THAT_ASKS = '4000 0027 6000 3184';

/** Reads the usage of each day. It is exact as soon as it was reported. */
export async function readUsage({ paydesk }: Admin, { startAt, endAt }: Month): Promise<void> {
  printStep('Ada reads what her company used, by day');
  const [from, to] = [startAt, endAt].map((instant) => instant.toISOString().slice(0, 10)) as [string, string];
  const { data } = await paydesk.usage.list({ from, to, granularity: 'day' });
  for (const { start, path, quantity } of data) {
    printDetail(`${day(start).padEnd(18)} ${path.padEnd(20)} ${count(quantity).padStart(7)}`);
  }
}

/** Reads the invoice of the current month, as it would be now. */
export async function readUpcoming({ paydesk }: Admin): Promise<void> {
  printStep('She looks at the invoice to come: what this month costs so far');
  const upcoming = await paydesk.upcomingInvoice.get();
  printDetail(upcoming.period);
  printAmounts(upcoming);
}

function printAmounts({ currency, details, subTotal, taxRate, tax, total }: Amounts): void {
  const row = (label: string, requests: string, amount: string | number) =>
    printDetail(`${label.padEnd(36)} ${requests.padStart(7)} ${money(amount, currency).padStart(9)}`);
  for (const { title, path, totalRequest, amount } of details) row(`${title} ${path}`, count(totalRequest), amount);
  row('Subtotal', '', subTotal);
  row(`Tax (${taxRate}%)`, '', tax);
  row('Total', '', total);
}

/** Finds the invoice that the run issued. */
export async function findInvoice({ paydesk }: Admin, month: Month): Promise<Invoice> {
  printStep(`She finds the invoice of ${month.period}, and reads it`);
  const dates = { startAt: month.startAt.toISOString(), endAt: month.endAt.toISOString() };
  const { data } = await paydesk.invoices.list(dates);
  const [invoice] = data;
  if (invoice === undefined) {
    throw new TerminalError(`The billing run of ${month.period} made no invoice for the new company.`);
  }
  printDetail(`${invoice.number}, ${invoice.status}`);
  printAmounts(invoice);
  return invoice;
}

/** Pays twice, which charges once. */
export async function pay({ paydesk }: Admin, { id }: Invoice): Promise<void> {
  printStep('She pays it, and pays it again: nothing is charged twice');
  for (const _attempt of ['first', 'second']) {
    const { status, paymentId } = await paydesk.invoices.pay(id);
    printDetail(`${status}, payment ${paymentId}`);
  }
}

/** Saves the invoice's PDF in the current folder or at `target`, which is a folder or a file name. */
export async function savePdf({ paydesk }: Admin, { id }: Invoice, target: string | undefined): Promise<void> {
  printStep('She keeps it as a PDF');
  const bytes = await paydesk.invoices.pdf(id);
  // npm runs the demo in the project's folder. INIT_CWD is the folder in which npm was called.
  const path = resolve(process.env.INIT_CWD ?? '.', target ?? '.');
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, PDF_NAME) : path;
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw new TerminalError(`The PDF can't be written to ${file}: ${error instanceof Error ? error.message : error}`);
  }
  printDetail(`${count(bytes.length)} bytes in ${file}`);
}

/** Lists the paid invoices. */
export async function listInvoices({ paydesk }: Admin): Promise<void> {
  printStep('She lists the invoices that are paid');
  const { data } = await paydesk.invoices.list({ status: 'succeeded', perPage: 5 });
  for (const { number, status, payment } of data) {
    if (!payment?.card) continue;
    const { amount, currency, card } = payment;
    printDetail(`${number} ${status}: ${money(amount, currency)} from ${card.brand} ${card.cardNumber}`);
  }
}

/** Pays with a card that is declined: the invoice fails, and is then paid with another card. */
export async function recoverFromDecline(setting: Setting, admin: Admin, saved: SavedCard): Promise<void> {
  const { paydesk } = admin;
  printStep('An invoice that the operator writes by hand meets a card without funds');
  await saveCard(admin, saved.addressId, CARD_WITHOUT_FUNDS);
  const { id } = await billByHand(setting, admin);
  const error = await paydesk.invoices.pay(id).catch((reason: unknown) => reason);
  if (!isPaydeskError(error, 'card_declined')) throw error;
  printDetail(`${error.code}: ${error.declineCode}`);
  const { data: failed } = await paydesk.invoices.list({ receipt: id });
  printDetail(`${failed[0]?.number} is ${failed[0]?.status}`);

  printStep('She makes the good card the default again, and the invoice recovers');
  await chooseCard(admin, saved);
  const paid = await paydesk.invoices.pay(id);
  printDetail(`${paid.number} is ${paid.status}`);
}

/** Pays with a card whose bank wants each payment confirmed. */
export async function payWithConfirmation(setting: Setting, admin: Admin, saved: SavedCard): Promise<void> {
  const { paydesk } = admin;
  printStep('She adds a card in the gateway’s own fields');
  await setUpCard(admin, saved.addressId, CARD_THAT_ASKS);
  printStep('Its bank wants each payment confirmed, and she confirms the next one');
  const { id } = await billByHand(setting, admin);
  const error = await paydesk.invoices.pay(id).catch((reason: unknown) => reason);
  if (!isPaydeskError(error, 'authentication_required') || error.nextAction === null) throw error;
  const { clientSecret = '', url } = error.nextAction;
  printDetail(`${error.code}: at ${url.slice(0, url.indexOf('/pay/') + 13)}…, or with the gateway’s script`);
  await paydesk.sandbox.answerChallenge({ clientSecret, outcome: 'succeed' });
  const { number, status } = await paydesk.invoices.pay(id);
  printDetail(`${number} is ${status}`);
  await chooseCard(admin, saved);
}

async function billByHand({ operator }: Setting, { companyId }: Admin): Promise<{ id: string }> {
  const now = new Date();
  const [startAt, endAt] = [startOfMonth(now).toISOString(), startOfMonth(now, 1).toISOString()];
  const line = { title: 'Onboarding workshop', path: '/workshops', totalRequest: 1, currency: 'USD', amount: '250.00' };
  const invoice = await operator.invoices.create({ companyId, startAt, endAt, taxRate: '20', details: [line] });
  printDetail(`${invoice.number} over ${money(invoice.total, invoice.currency)}, ${invoice.status}`);
  return invoice;
}
