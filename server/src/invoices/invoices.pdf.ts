import type { InvoiceDocument } from './invoices.document.ts';
import {
  type Canvas,
  COLORS,
  createCanvas,
  drawLine,
  drawRule,
  drawText,
  lineHeight,
  PAGE,
  STYLES,
} from './invoices.pdf-canvas.ts';
import { formatDate, formatMoney } from './invoices.pdf-format.ts';
import { drawOpening, layOutFooterText } from './invoices.pdf-parts.ts';
import { beginPage, drawTable } from './invoices.pdf-table.ts';

const TOTALS_LEFT = PAGE.left + 215;
const TOTALS_GAP_ABOVE = 8;
const FOOTER_TEXT_GAP = 22;

/**
 * The invoice as a PDF on A4 pages. The same document gives the same bytes. Text in a script that the embedded fonts lack
 * is drawn as boxes.
 */
export async function renderInvoicePdf(document: InvoiceDocument): Promise<Buffer> {
  const canvas = createCanvas(document);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    canvas.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    canvas.pdf.once('end', resolve).once('error', reject);
  });
  const totals = totalRowsOf(document);
  beginPage(canvas);
  drawOpening(canvas);
  await drawTable(canvas, heightOfTotals(totals));
  drawTotals(canvas, totals);
  drawFooterText(canvas);
  drawPageFeet(canvas);
  canvas.pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** All but `normal` rows have a line above them. */
type TotalRow = { label: string; amount: string; weight: 'normal' | 'strong' | 'due' };

function totalRowsOf(document: InvoiceDocument): TotalRow[] {
  const money = (amount: string) => formatMoney(amount, document);
  const taken = (label: string, amount: string): TotalRow => ({
    label,
    amount: `-${money(amount)}`,
    weight: 'normal',
  });
  const { creditNotes, creditApplied, paidAt, paidAmount, timezone } = document;
  const noteLabel = ({ number, issuedAt }: (typeof creditNotes)[number]) =>
    `Credit note ${number}, ${formatDate(issuedAt, timezone)}`;
  const [later, earlier] = [
    creditNotes.filter((one) => one.afterPayment),
    creditNotes.filter((one) => !one.afterPayment),
  ];
  return [
    { label: 'Subtotal', amount: money(document.subTotal), weight: 'normal' },
    { label: `Tax (${document.taxRate}%)`, amount: money(document.tax), weight: 'normal' },
    { label: 'Total', amount: money(document.total), weight: 'strong' },
    ...earlier.map((note) => taken(noteLabel(note), note.total)),
    ...(isZero(creditApplied) ? [] : [taken('Credit applied', creditApplied)]),
    ...(paidAt === null || paidAmount === null || isZero(paidAmount)
      ? []
      : [taken(`Paid on ${formatDate(paidAt, timezone)}`, paidAmount)]),
    { label: 'Amount due', amount: money(document.amountDue), weight: 'due' },
    ...later.map(
      ({ number, total }): TotalRow => ({
        label: `Credited after payment, ${number}`,
        amount: money(total),
        weight: 'normal',
      }),
    ),
  ];
}

function isZero(amount: string): boolean {
  return /^-?[0.]*$/.test(amount);
}

function heightOfTotals(rows: TotalRow[]): number {
  return rows.reduce((sum, row) => sum + heightOfTotal(row), TOTALS_GAP_ABOVE);
}

function heightOfTotal({ weight }: TotalRow): number {
  return { normal: 19, strong: 23, due: 29 }[weight];
}

function drawTotals(canvas: Canvas, rows: TotalRow[]): void {
  canvas.y += TOTALS_GAP_ABOVE;
  for (const row of rows) {
    if (canvas.y + heightOfTotal(row) > PAGE.bottom) beginPage(canvas);
    const { label, amount, weight } = row;
    if (weight !== 'normal') drawRule(canvas, canvas.y + 1, weight === 'due' ? COLORS.ink : COLORS.rule, TOTALS_LEFT);
    const style = { normal: STYLES.body, strong: STYLES.strong, due: STYLES.name }[weight];
    const y = canvas.y + { normal: 3, strong: 6, due: 8 }[weight];
    drawText(canvas, label, weight === 'normal' ? STYLES.soft : style, { x: TOTALS_LEFT, y });
    drawText(canvas, amount, style, { x: PAGE.right, y, align: 'right' });
    canvas.y += heightOfTotal(row);
  }
}

function drawFooterText(canvas: Canvas): void {
  const lines = layOutFooterText(canvas);
  if (lines.length === 0) return;
  const step = lineHeight(STYLES.small);
  if (canvas.y + FOOTER_TEXT_GAP + lines.length * step > PAGE.bottom) beginPage(canvas);
  let y = Math.max(canvas.y + FOOTER_TEXT_GAP, PAGE.bottom - lines.length * step);
  for (const line of lines) {
    drawLine(canvas, line, STYLES.small, { x: PAGE.left, y });
    y += step;
  }
}

/** The foot of every page, once it is known how many there are. */
function drawPageFeet(canvas: Canvas): void {
  const { count } = canvas.pdf.bufferedPageRange();
  const y = PAGE.bottom + 20;
  for (let page = 0; page < count; page += 1) {
    canvas.pdf.switchToPage(page);
    drawRule(canvas, y - 7);
    drawText(canvas, `Invoice ${canvas.document.number}`, STYLES.small, { x: PAGE.left, y });
    drawText(canvas, `Page ${page + 1} of ${count}`, STYLES.small, { x: PAGE.right, y, align: 'right' });
  }
}
