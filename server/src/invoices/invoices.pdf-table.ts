import { type Canvas, COLORS, drawLine, drawRule, drawText, lineHeight, PAGE, STYLES } from './invoices.pdf-canvas.ts';
import { drawContinuation } from './invoices.pdf-parts.ts';
import { breakIntoLines, type Line } from './invoices.pdf-text.ts';
import type { SheetLine } from './invoices.sheet.ts';

const REQUESTS_RIGHT = PAGE.right - 118;
const TITLE_WIDTH = REQUESTS_RIGHT - PAGE.left - 92;
const ROW_PADDING = 6;

type Row = { title: Line[]; path: Line[]; requests: string | null; amount: string; height: number };

/** Begins a page; on every one but the first, which document it goes on with stands at its top. */
export function beginPage(canvas: Canvas): void {
  canvas.pdf.addPage();
  canvas.y = PAGE.top;
  if (canvas.sheet.isVoid) drawWatermark(canvas);
  if (canvas.pdf.bufferedPageRange().count > 1) drawContinuation(canvas);
}

function drawWatermark({ pdf, sheet }: Canvas): void {
  pdf.save();
  pdf.rotate(-35, { origin: [PAGE.width / 2, PAGE.height / 2] }).fillOpacity(0.1);
  const style = { size: 170, weight: 'bold', color: COLORS.void } as const;
  drawText({ pdf, sheet, y: 0 }, 'VOID', style, { x: PAGE.width / 2 - 220, y: PAGE.height / 2 - 140 });
  pdf.restore();
}

/**
 * Draws the line items, over as many pages as they take, each with the table's head. The last one stays together with what
 * follows, which takes `heightAfter` points.
 */
export function drawTable(canvas: Canvas, heightAfter: number): void {
  const { lines } = canvas.sheet;
  drawTableHead(canvas);
  for (const [index, line] of lines.entries()) {
    const row = layOutRow(line);
    const needed = row.height + (index === lines.length - 1 ? heightAfter : 0);
    if (canvas.y + needed > PAGE.bottom && canvas.y > PAGE.top + 60) {
      beginPage(canvas);
      drawTableHead(canvas);
    }
    drawRow(canvas, row);
  }
}

function drawTableHead(canvas: Canvas): void {
  const { y } = canvas;
  drawText(canvas, 'Description', STYLES.label, { x: PAGE.left, y });
  if (canvas.sheet.lines.some(({ requests }) => requests !== null)) {
    drawText(canvas, 'Requests', STYLES.label, { x: REQUESTS_RIGHT, y, align: 'right' });
  }
  drawText(canvas, 'Amount', STYLES.label, { x: PAGE.right, y, align: 'right' });
  canvas.y += lineHeight(STYLES.label) + 5;
  drawRule(canvas, canvas.y, COLORS.ink);
}

function layOutRow({ title, path, requests, amount }: SheetLine): Row {
  const titleLines = breakIntoLines(title, TITLE_WIDTH, STYLES.body);
  const pathLines = breakIntoLines(path, TITLE_WIDTH, STYLES.small);
  const textHeight = titleLines.length * lineHeight(STYLES.body) + pathLines.length * lineHeight(STYLES.small);
  return { title: titleLines, path: pathLines, requests, amount, height: textHeight + 2 * ROW_PADDING };
}

function drawRow(canvas: Canvas, row: Row): void {
  let y = canvas.y + ROW_PADDING;
  const right = { y, align: 'right' } as const;
  if (row.requests !== null) drawText(canvas, row.requests, STYLES.body, { ...right, x: REQUESTS_RIGHT });
  drawText(canvas, row.amount, STYLES.body, { ...right, x: PAGE.right });
  for (const line of row.title) {
    drawLine(canvas, line, STYLES.body, { x: PAGE.left, y });
    y += lineHeight(STYLES.body);
  }
  for (const line of row.path) {
    drawLine(canvas, line, STYLES.small, { x: PAGE.left, y });
    y += lineHeight(STYLES.small);
  }
  canvas.y += row.height;
  drawRule(canvas, canvas.y);
}
