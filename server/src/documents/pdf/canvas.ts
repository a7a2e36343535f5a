import Pdf from 'pdfkit';
import type { Sheet } from '../sheet/sheet.ts';
import { openFont } from './fonts.ts';
import { breakIntoLines, type Line, layOutLine, type Style, toPlainText } from './text.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 54, right: 541.28, top: 54, bottom: 768 };
export const CONTENT_WIDTH = PAGE.right - PAGE.left;

export const COLORS = {
  ink: '#1a1f36',
  soft: '#5b6478',
  rule: '#d9dee7',
  accent: '#1f4b99',
  paid: '#0e6245',
  paidSurface: '#d7f7e6',
  void: '#a41c2b',
  voidSurface: '#fbe3e6',
  due: '#1f4b99',
  dueSurface: '#e3ecfb',
};

export const STYLES = {
  title: { size: 24, weight: 'bold', color: COLORS.ink },
  headline: { size: 17, weight: 'bold', color: COLORS.ink },
  name: { size: 12, weight: 'bold', color: COLORS.ink },
  strong: { size: 9.5, weight: 'bold', color: COLORS.ink },
  body: { size: 9.5, weight: 'regular', color: COLORS.ink },
  soft: { size: 9.5, weight: 'regular', color: COLORS.soft },
  small: { size: 8, weight: 'regular', color: COLORS.soft },
  label: { size: 8, weight: 'bold', color: COLORS.soft },
} as const satisfies Record<string, Style>;

/** A sheet that is being drawn; `y` is the current position, in points from the top of the page. */
export type Canvas = { pdf: PDFKit.PDFDocument; sheet: Sheet; y: number };

/** Creates an empty document. Its metadata depends only on the sheet, so that the same sheet gives the same file. */
export function createCanvas(sheet: Sheet): Canvas {
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: `${sheet.title} ${sheet.number}`,
      Author: toPlainText(sheet.seller.name),
      Creator: 'Paydesk',
      CreationDate: sheet.issuedAt,
    },
  });
  return { pdf, sheet, y: PAGE.top };
}

/** Returns the height of a line of this style, in points. */
export function lineHeight({ size }: Style): number {
  return size * 1.45;
}

type Place = { x: number; y: number; align?: 'left' | 'right' };

/** Draws a text on one line. `x` is its left end, or its right end when aligned right; `y` is the top of the line. */
export function drawText(canvas: Canvas, text: string, style: Style, place: Place): Line {
  const line = layOutLine(toPlainText(text), style);
  drawLine(canvas, line, style, place);
  return line;
}

/** Draws a line that has been laid out. */
export function drawLine({ pdf }: Canvas, line: Line, style: Style, { x, y, align = 'left' }: Place): void {
  const baselineY = y + lineHeight(style) * 0.74;
  let left = align === 'right' ? x - line.width : x;
  for (const { text, font, isRightToLeft, width } of line.runs) {
    useFont(pdf, font);
    // With `features`, even an empty list, pdfkit lays out the whole text at once, which keeps right-to-left words in
    // order.
    const options = { lineBreak: false, baseline: 'alphabetic', ...(isRightToLeft ? { features: [] } : {}) } as const;
    pdf.fontSize(style.size).fillColor(style.color).text(text, left, baselineY, options);
    left += width;
  }
}

/** Draws a text over as many lines as it takes. @returns where the next line would begin */
export function drawParagraph(canvas: Canvas, text: string, style: Style, place: Place & { width: number }): number {
  let { y } = place;
  for (const line of breakIntoLines(text, place.width, style)) {
    drawLine(canvas, line, style, { ...place, y });
    y += lineHeight(style);
  }
  return y;
}

/**
 * Sets the font. pdfkit accepts opened fonts, although its types do not say so. A file would be parsed again for every
 * document.
 */
function useFont(pdf: PDFKit.PDFDocument, name: string): void {
  pdf.registerFont(name, openFont(name) as unknown as string);
  pdf.font(name);
}

/** Draws a thin line across the page. */
export function drawRule({ pdf }: Canvas, y: number, color: string = COLORS.rule, left: number = PAGE.left): void {
  pdf.moveTo(left, y).lineTo(PAGE.right, y).lineWidth(0.75).strokeColor(color).stroke();
}
