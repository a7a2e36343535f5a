import type { Sheet, TotalRow } from '../sheet/sheet.ts';
import { type Canvas, COLORS, createCanvas, drawLine, drawRule, drawText, lineHeight, PAGE, STYLES } from './canvas.ts';
import { chooseFamily } from './cjk.ts';
import { openCjkFonts, useCjkFonts } from './fonts.ts';
import { drawOpening, layOutFooterText } from './parts.ts';
import { beginPage, drawTable } from './table.ts';
import { findCjkLetters, type Line } from './text.ts';

const TOTALS_LEFT = PAGE.left + 215;
const TOTALS_GAP_ABOVE = 8;
const FOOTER_TEXT_GAP = 22;
/** On a page that also has the table's head and a row. */
const MAX_END_HEIGHT = 500;

/**
 * Draws a sheet on A4 pages; the same sheet gives the same bytes. It may block for seconds and loads large fonts, so it
 * runs in a worker thread (`createPdfRenderer`). Text in a script that the embedded fonts lack is drawn as boxes.
 */
export async function drawPdf(sheet: Sheet): Promise<Buffer> {
  const fonts = await openCjkFonts(findCjkLetters(JSON.stringify(sheet)), chooseFamily(sheet));
  // Nothing waits from here to the end of the drawing, so that no other document changes the fonts.
  useCjkFonts(fonts);
  const canvas = createCanvas(sheet);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    canvas.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    canvas.pdf.once('end', resolve).once('error', reject);
  });
  beginPage(canvas);
  drawOpening(canvas);
  const footer = layOutFooterText(canvas);
  drawTable(canvas, heightOfEnd(sheet.totals, footer.length));
  drawTotals(canvas);
  drawFooterText(canvas, footer);
  drawPageFeet(canvas);
  canvas.pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/**
 * Returns the height of what follows the table, with the footer: it stays with the table, so that it is not alone on a
 * page, unless it is longer than a page.
 */
function heightOfEnd(totals: TotalRow[], footerLines: number): number {
  const footer = footerLines === 0 ? 0 : FOOTER_TEXT_GAP + footerLines * lineHeight(STYLES.small);
  const height = heightOfTotals(totals);
  return height + footer > MAX_END_HEIGHT ? height : height + footer;
}

function heightOfTotals(rows: TotalRow[]): number {
  return rows.reduce((sum, row) => sum + heightOfTotal(row), TOTALS_GAP_ABOVE);
}

function heightOfTotal({ weight }: TotalRow): number {
  return { normal: 19, strong: 23, due: 29 }[weight];
}

function drawTotals(canvas: Canvas): void {
  canvas.y += TOTALS_GAP_ABOVE;
  for (const row of canvas.sheet.totals) {
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

/**
 * Draws the footer at the bottom of the page if it fits; a longer one begins below the totals and continues over pages.
 */
function drawFooterText(canvas: Canvas, lines: Line[]): void {
  if (lines.length === 0) return;
  const step = lineHeight(STYLES.small);
  canvas.y = Math.max(canvas.y + FOOTER_TEXT_GAP, PAGE.bottom - lines.length * step);
  for (const line of lines) {
    if (canvas.y + step > PAGE.bottom + 0.01) beginPage(canvas);
    drawLine(canvas, line, STYLES.small, { x: PAGE.left, y: canvas.y });
    canvas.y += step;
  }
}

/** Draws the foot of every page, once the number of pages is known. */
function drawPageFeet(canvas: Canvas): void {
  const { count } = canvas.pdf.bufferedPageRange();
  const { title, number } = canvas.sheet;
  const y = PAGE.bottom + 20;
  for (let page = 0; page < count; page += 1) {
    canvas.pdf.switchToPage(page);
    drawRule(canvas, y - 7);
    drawText(canvas, `${title} ${number}`, STYLES.small, { x: PAGE.left, y });
    drawText(canvas, `Page ${page + 1} of ${count}`, STYLES.small, { x: PAGE.right, y, align: 'right' });
  }
}
