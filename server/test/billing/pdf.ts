import { inflateSync } from 'node:zlib';

/** A text on a page, with the position of its left end in points from the page's lower left corner. */
export type PdfText = { text: string; x: number; y: number };

/** The parts of a PDF that tests need: each page's texts in the order in which they are drawn, and the document's information. */
export type ReadPdf = { pages: PdfText[][]; information: Record<string, string> };

type PdfObject = { dictionary: string; stream: () => string };

/**
 * Reads a PDF that pdfkit wrote, and no other: it expects the objects one after the other, glyphs as four hexadecimal digits, and a
 * ToUnicode table for each font. The existing libraries need native code or several megabytes.
 */
export function readPdf(bytes: Buffer): ReadPdf {
  const objects = readObjects(bytes);
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\n/.test(dictionary));
  return { pages: pages.map((page) => readPage(objects, page)), information: readInformation(objects, bytes) };
}

/** Joins the texts of a page into one, a line for each. */
export function pageText(page: PdfText[] | undefined): string {
  return (page ?? []).map(({ text }) => text).join('\n');
}

function readObjects(bytes: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  const text = bytes.toString('latin1');
  for (const match of text.matchAll(/(?<=\n)(\d+) 0 obj\n(.*?)(?:\nendobj|stream\n)/gs)) {
    const [whole, number = '', dictionary = ''] = match;
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0);
    const start = match.index + whole.length;
    objects.set(number, { dictionary, stream: () => unpack(bytes.subarray(start, start + length), dictionary) });
  }
  return objects;
}

function unpack(content: Buffer, dictionary: string): string {
  return (dictionary.includes('/FlateDecode') ? inflateSync(content) : content).toString('latin1');
}

function follow(objects: Map<string, PdfObject>, dictionary: string, key: string): PdfObject {
  const number = new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? '';
  const found = objects.get(number);
  if (found === undefined) throw new Error(`The PDF has no ${key} in ${dictionary}`);
  return found;
}

function readPage(objects: Map<string, PdfObject>, { dictionary }: PdfObject): PdfText[] {
  const fonts = new Map<string, Map<string, string>>();
  const resources = follow(objects, dictionary, 'Resources').dictionary;
  for (const [, name = ''] of resources.matchAll(/\/(F\d+) \d+ 0 R/g)) {
    const font = follow(objects, resources, name).dictionary;
    fonts.set(name, readMeanings(follow(objects, font, 'ToUnicode').stream()));
  }
  const blocks = follow(objects, dictionary, 'Contents')
    .stream()
    .matchAll(/BT\n(.*?)\nET/gs);
  return [...blocks].map(([, block = '']) => readBlock(block, fonts));
}

function readBlock(block: string, fonts: Map<string, Map<string, string>>): PdfText {
  const [, x, y] = /1 0 0 1 (\S+) (\S+) Tm/.exec(block) ?? [];
  const meanings = fonts.get(/\/(F\d+) \S+ Tf/.exec(block)?.[1] ?? '');
  const glyphs = [...block.matchAll(/<([\da-f]+)>/g)].flatMap(([, run = '']) => run.match(/.{4}/g) ?? []);
  return { text: glyphs.map((glyph) => meanings?.get(glyph) ?? '\ufffd').join(''), x: Number(x), y: Number(y) };
}

/** Maps each glyph of a font to its text, from the font's ToUnicode table. */
function readMeanings(table: string): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const [, first = '', list = ''] of table.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[(.*?)\]/gs)) {
    for (const [index, [, code = '']] of [...list.matchAll(/<([\da-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      meanings.set(glyph, Buffer.from(code.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    }
  }
  return meanings;
}

function readInformation(objects: Map<string, PdfObject>, bytes: Buffer): Record<string, string> {
  const { dictionary } = follow(objects, bytes.toString('latin1').split('trailer').at(-1) ?? '', 'Info');
  const keys = [...dictionary.matchAll(/\/(\w+) \d+ 0 R/g)].map(([, key = '']) => key);
  return Object.fromEntries(keys.map((key) => [key, follow(objects, dictionary, key).dictionary.slice(1, -1)]));
}
