import { nameCountry } from '../../platform/countries/countries.service.ts';
import type { Buyer, Seller } from '../sheet/document.ts';
import type { Badge } from '../sheet/sheet.ts';
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
} from './canvas.ts';
import { breakIntoLines, layOutLine } from './text.ts';

const COLUMN_GAP = 24;
const HALF_WIDTH = (CONTENT_WIDTH - COLUMN_GAP) / 2;
const LABEL_WIDTH = 92;

/** Draws the top of the first page: title, seller's name, number, dates, addresses and the amount due. */
export function drawOpening(canvas: Canvas): void {
  const { pdf, sheet } = canvas;
  pdf.rect(0, 0, PAGE.width, 6).fill(COLORS.accent);
  const titleEnd = drawText(canvas, sheet.title, STYLES.title, { x: PAGE.left, y: PAGE.top }).width;
  if (sheet.badge !== null) drawBadge(canvas, sheet.badge, { x: PAGE.left + titleEnd + 12, y: PAGE.top + 10 });
  const nameWidth = HALF_WIDTH;
  const nameEnd = drawNameAtRight(canvas, sheet.seller.name, nameWidth);
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

function drawBadge(canvas: Canvas, { label, tone }: Badge, { x, y }: { x: number; y: number }): void {
  const style = { ...STYLES.label, color: COLORS[tone] };
  const { width } = layOutLine(label, style);
  canvas.pdf.roundedRect(x, y, width + 14, 17, 8.5).fill(COLORS[`${tone}Surface`]);
  drawText(canvas, label, style, { x: x + 7, y: y + 2.7 });
}

function drawFacts(canvas: Canvas): void {
  for (const [index, { label, value }] of canvas.sheet.facts.entries()) {
    drawText(canvas, label, STYLES.soft, { x: PAGE.left, y: canvas.y });
    const style = index === 0 ? STYLES.strong : STYLES.body;
    drawText(canvas, value, style, { x: PAGE.left + LABEL_WIDTH, y: canvas.y });
    canvas.y += lineHeight(STYLES.body) + 1.5;
  }
}

function drawParties(canvas: Canvas): void {
  const { seller, buyer } = canvas.sheet;
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
    nameCountry(buyer.country),
    buyer.taxId && `Tax ID: ${buyer.taxId}`,
    buyer.email,
  ];
  return withoutEmpty(lines);
}

function withoutEmpty(texts: string[]): string[] {
  return texts.filter((text) => text !== '');
}

function drawHeadline(canvas: Canvas): void {
  const { headline, remarks } = canvas.sheet;
  drawText(canvas, headline, STYLES.headline, { x: PAGE.left, y: canvas.y });
  canvas.y += lineHeight(STYLES.headline);
  for (const remark of remarks.flatMap((one) => one.split('\n'))) {
    const place = { x: PAGE.left, y: canvas.y + 4, width: CONTENT_WIDTH };
    canvas.y = drawParagraph(canvas, remark, STYLES.body, place);
  }
}

/** Lays out the seller's own texts at the end of the document. */
export function layOutFooterText({ sheet }: Canvas) {
  return sheet.footerText.split('\n').flatMap((text) => breakIntoLines(text, CONTENT_WIDTH, STYLES.small));
}

/** Draws at the top of each further page which document it belongs to. */
export function drawContinuation(canvas: Canvas): void {
  const { title, number, seller } = canvas.sheet;
  const { width } = drawText(canvas, `${title} ${number}`, STYLES.strong, { x: PAGE.left, y: PAGE.top - 14 });
  const [name] = breakIntoLines(seller.name, CONTENT_WIDTH - width - COLUMN_GAP, STYLES.soft);
  if (name !== undefined) drawLine(canvas, name, STYLES.soft, { x: PAGE.right, y: PAGE.top - 14, align: 'right' });
  canvas.y = PAGE.top + 14;
}
