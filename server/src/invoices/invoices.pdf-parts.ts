import { addDecimals, formatDecimal, toDecimal } from '../money/decimal.ts';
import type { Buyer, InvoiceDocument, Seller } from './invoices.document.ts';
import {
  type Canvas,
  COLORS,
  CONTENT_WIDTH,
  drawLine,
  drawParagraph,
  drawText,
  lineHeight,
  PAGE,
  STYLES,
} from './invoices.pdf-canvas.ts';
import { formatDate, formatMoney, formatPeriod } from './invoices.pdf-format.ts';
import { breakIntoLines, layOutLine } from './invoices.pdf-text.ts';

const COLUMN_GAP = 24;
const HALF_WIDTH = (CONTENT_WIDTH - COLUMN_GAP) / 2;
const LABEL_WIDTH = 92;

/** What the first page begins with: title and seller's name, number and dates, who it is from and to, and what is due. */
export function drawOpening(canvas: Canvas): void {
  const { pdf, document } = canvas;
  pdf.rect(0, 0, PAGE.width, 6).fill(COLORS.accent);
  const titleEnd = drawText(canvas, 'Invoice', STYLES.title, { x: PAGE.left, y: PAGE.top }).width;
  drawStatus(canvas, PAGE.left + titleEnd + 12, PAGE.top + 10);
  const nameWidth = HALF_WIDTH;
  const nameEnd = drawNameAtRight(canvas, document.seller.name, nameWidth);
  canvas.y = Math.max(PAGE.top + lineHeight(STYLES.title), nameEnd) + 14;
  drawFacts(canvas);
  canvas.y += 16;
  drawParties(canvas);
  canvas.y += 20;
  drawHeadline(canvas);
  canvas.y += 18;
}

function drawNameAtRight(canvas: Canvas, name: string, width: number): number {
  const place = { x: PAGE.right, y: PAGE.top + 9, width, align: 'right' } as const;
  return drawParagraph(canvas, name, STYLES.name, place);
}

/** What the pill beside the title says, and in which colors. */
function statusOf({ status, voidedAt }: InvoiceDocument): { label: string; color: string; surface: string } {
  if (voidedAt !== null) return { label: 'VOID', color: COLORS.void, surface: COLORS.voidSurface };
  if (status === 'Succeeded') return { label: 'PAID', color: COLORS.paid, surface: COLORS.paidSurface };
  return { label: 'DUE', color: COLORS.due, surface: COLORS.dueSurface };
}

function drawStatus(canvas: Canvas, x: number, y: number): void {
  const { label, color, surface } = statusOf(canvas.document);
  const style = { ...STYLES.label, color };
  const { width } = layOutLine(label, style);
  canvas.pdf.roundedRect(x, y, width + 14, 17, 8.5).fill(surface);
  drawText(canvas, label, style, { x: x + 7, y: y + 2.7 });
}

function drawFacts(canvas: Canvas): void {
  const { number, issuedAt, startAt, endAt, timezone, voidedAt, paidAt } = canvas.document;
  const facts = [
    ['Invoice number', number],
    ['Date of issue', formatDate(issuedAt, timezone)],
    ['Billing period', formatPeriod(startAt, endAt, timezone)],
    ...(paidAt === null ? [] : [['Date paid', formatDate(paidAt, timezone)]]),
    ...(voidedAt === null ? [] : [['Date voided', formatDate(voidedAt, timezone)]]),
  ];
  for (const [label = '', value = ''] of facts) {
    drawText(canvas, label, STYLES.soft, { x: PAGE.left, y: canvas.y });
    drawText(canvas, value, label === 'Invoice number' ? STYLES.strong : STYLES.body, {
      x: PAGE.left + LABEL_WIDTH,
      y: canvas.y,
    });
    canvas.y += lineHeight(STYLES.body) + 1.5;
  }
}

function drawParties(canvas: Canvas): void {
  const { seller, buyer } = canvas.document;
  const { y } = canvas;
  const sellerEnd = drawParty(canvas, 'From', linesOfSeller(seller), { x: PAGE.left, y });
  const buyerEnd = drawParty(canvas, 'Bill to', linesOfBuyer(buyer), { x: PAGE.left + HALF_WIDTH + COLUMN_GAP, y });
  canvas.y = Math.max(sellerEnd, buyerEnd);
}

function drawParty(canvas: Canvas, label: string, lines: string[], place: { x: number; y: number }): number {
  if (lines.length > 0) drawText(canvas, label, STYLES.label, place);
  let y = place.y + lineHeight(STYLES.label) + 3;
  for (const [index, line] of lines.entries()) {
    y = drawParagraph(canvas, line, index === 0 ? STYLES.strong : STYLES.body, { x: place.x, y, width: HALF_WIDTH });
  }
  return y;
}

function linesOfSeller({ name, addressLines, taxId, email }: Seller): string[] {
  return withoutEmpty([name, ...addressLines, taxId && `Tax ID: ${taxId}`, email]);
}

function linesOfBuyer(buyer: Buyer): string[] {
  const person = `${buyer.firstName} ${buyer.lastName}`.trim();
  const place = withoutEmpty([buyer.zipCode, buyer.city]).join(' ');
  const lines = [
    buyer.organization,
    person,
    ...buyer.address.split('\n'),
    withoutEmpty([place, buyer.province]).join(', '),
    buyer.country,
    buyer.taxId && `Tax ID: ${buyer.taxId}`,
    buyer.email,
  ];
  return withoutEmpty(lines);
}

function withoutEmpty(texts: string[]): string[] {
  return texts.filter((text) => text !== '');
}

function drawHeadline(canvas: Canvas): void {
  const { document } = canvas;
  drawText(canvas, headlineOf(document), STYLES.headline, { x: PAGE.left, y: canvas.y });
  canvas.y += lineHeight(STYLES.headline);
}

function headlineOf(document: InvoiceDocument): string {
  const { voidedAt, paidAt, paidAmount, creditApplied, amountDue, timezone } = document;
  if (voidedAt !== null) return `Voided on ${formatDate(voidedAt, timezone)}: nothing is to be paid`;
  if (paidAt === null) return `${formatMoney(amountDue, document)} due`;
  const paid = addDecimals(toDecimal(paidAmount ?? '0'), toDecimal(creditApplied));
  return `${formatMoney(formatDecimal(paid), document)} paid on ${formatDate(paidAt, timezone)}`;
}

/** What stands at the foot of the last page: the seller's own text. */
export function layOutFooterText({ document }: Canvas) {
  return document.seller.footerText.split('\n').flatMap((text) => breakIntoLines(text, CONTENT_WIDTH, STYLES.small));
}

/** On every page but the first, whose invoice this is. */
export function drawContinuation(canvas: Canvas): void {
  const { number, seller } = canvas.document;
  const { width } = drawText(canvas, `Invoice ${number}`, STYLES.strong, { x: PAGE.left, y: PAGE.top - 14 });
  const [name] = breakIntoLines(seller.name, CONTENT_WIDTH - width - COLUMN_GAP, STYLES.soft);
  if (name !== undefined) drawLine(canvas, name, STYLES.soft, { x: PAGE.right, y: PAGE.top - 14, align: 'right' });
  canvas.y = PAGE.top + 14;
}
