import type { SheetLine } from '../sheet/sheet-lines.ts';
import { type Canvas, COLORS, drawLine, drawRule, drawText, lineHeight, PAGE, STYLES } from './canvas.ts';
import { drawContinuation } from './parts.ts';
import { breakIntoLines, type Line, layOutLine } from './text.ts';

const ROW_PADDING = 3.5;
const COLUMN_GAP = 16;
const PATH_GAP = 8;

type Row = { title: Line[]; path: Line[]; line: SheetLine; height: number };
/** The columns' right edges in points; null for a column that no line needs. */
type Columns = { requestsRight: number | null; unitPriceRight: number | null; titleWidth: number };

/** Begins a page; a further page names its document at the top. */
export function beginPage(canvas: Canvas): void {
  canvas.pdf.addPage();
  canvas.y = PAGE.top;
  drawWatermark(canvas);
  if (canvas.pdf.bufferedPageRange().count > 1) drawContinuation(canvas);
}

function drawWatermark({ pdf, sheet }: Canvas): void {
  if (sheet.watermark === null) return;
  pdf.save();
  pdf.rotate(-35, { origin: [PAGE.width / 2, PAGE.height / 2] }).fillOpacity(0.1);
  const style = { size: 150, weight: 'bold', color: COLORS.void } as const;
  const { width } = layOutLine(sheet.watermark, style);
  drawText({ pdf, sheet, y: 0 }, sheet.watermark, style, { x: (PAGE.width - width) / 2, y: PAGE.height / 2 - 125 });
  pdf.restore();
}

/**
 * Draws the line items over as many pages as needed, each with the table's head. The last row stays together with what
 * follows, which takes `heightAfter` points.
 */
export function drawTable(canvas: Canvas, heightAfter: number): void {
  const { lines } = canvas.sheet;
  const columns = layOutColumns(lines);
  drawTableHead(canvas, columns);
  for (const [index, line] of lines.entries()) {
    const row = layOutRow(line, columns);
    const needed = row.height + (index === lines.length - 1 ? heightAfter : 0);
    if (canvas.y + needed > PAGE.bottom && canvas.y > PAGE.top + 60) {
      beginPage(canvas);
      drawTableHead(canvas, columns);
    }
    drawRow(canvas, row, columns);
  }
}

/** Makes each column as wide as its widest text, and gives the titles the rest. */
function layOutColumns(lines: readonly SheetLine[]): Columns {
  let right = PAGE.right - widest(['Amount', ...lines.map(({ amount }) => amount)]) - COLUMN_GAP;
  const place = (label: string, texts: (string | null)[]): number | null => {
    const there = texts.filter((text) => text !== null);
    if (there.length === 0) return null;
    const end = right;
    right -= widest([label, ...there]) + COLUMN_GAP;
    return end;
  };
  const unitPriceRight = place(
    'Unit price',
    lines.map(({ unitPrice }) => unitPrice),
  );
  const requestsRight = place(
    'Requests',
    lines.map(({ requests }) => requests),
  );
  return { unitPriceRight, requestsRight, titleWidth: right - PAGE.left };
}

/** Digits have equal widths, so the longest text is the widest. */
function widest(texts: string[]): number {
  const length = Math.max(...texts.map((text) => text.length));
  const longest = new Set(texts.filter((text) => text.length >= length - 1));
  return Math.max(...[...longest].slice(0, 20).map((text) => layOutLine(text, STYLES.body).width));
}

function drawTableHead(canvas: Canvas, { requestsRight, unitPriceRight }: Columns): void {
  const { y } = canvas;
  drawText(canvas, 'Description', STYLES.label, { x: PAGE.left, y });
  if (requestsRight !== null) drawText(canvas, 'Requests', STYLES.label, { x: requestsRight, y, align: 'right' });
  if (unitPriceRight !== null) drawText(canvas, 'Unit price', STYLES.label, { x: unitPriceRight, y, align: 'right' });
  drawText(canvas, 'Amount', STYLES.label, { x: PAGE.right, y, align: 'right' });
  canvas.y += lineHeight(STYLES.label) + 5;
  drawRule(canvas, canvas.y, COLORS.ink);
}

/** Puts the path beside the title if both fit on a line. */
function layOutRow(line: SheetLine, { titleWidth }: Columns): Row {
  const title = breakIntoLines(line.title, titleWidth, STYLES.body);
  const path = breakIntoLines(line.path, titleWidth, STYLES.small);
  const pathHeight = isBeside(title, path, titleWidth) ? 0 : path.length * lineHeight(STYLES.small);
  return { title, path, line, height: title.length * lineHeight(STYLES.body) + pathHeight + 2 * ROW_PADDING };
}

function isBeside([title, ...more]: Line[], [path, ...morePath]: Line[], titleWidth: number): boolean {
  if (title === undefined || path === undefined || more.length > 0 || morePath.length > 0) return false;
  return title.width + PATH_GAP + path.width <= titleWidth;
}

function drawRow(canvas: Canvas, { title, path, line, height }: Row, columns: Columns): void {
  const { requestsRight, unitPriceRight, titleWidth } = columns;
  let y = canvas.y + ROW_PADDING;
  const right = { y, align: 'right' } as const;
  if (line.requests !== null) drawText(canvas, line.requests, STYLES.body, { ...right, x: requestsRight ?? 0 });
  if (line.unitPrice !== null) drawText(canvas, line.unitPrice, STYLES.body, { ...right, x: unitPriceRight ?? 0 });
  drawText(canvas, line.amount, STYLES.body, { ...right, x: PAGE.right });
  const beside = isBeside(title, path, titleWidth);
  for (const one of title) {
    drawLine(canvas, one, STYLES.body, { x: PAGE.left, y });
    y += lineHeight(STYLES.body);
  }
  const x = beside ? PAGE.left + (title[0]?.width ?? 0) + PATH_GAP : PAGE.left;
  if (beside) y -= lineHeight(STYLES.small) + 1.1;
  for (const one of path) {
    drawLine(canvas, one, STYLES.small, { x, y });
    y += lineHeight(STYLES.small);
  }
  canvas.y += height;
  drawRule(canvas, canvas.y);
}
