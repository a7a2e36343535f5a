import { brotliDecompressSync } from 'node:zlib';

/*
 * Converts WOFF2 fonts to plain TrueType. WOFF2 (https://www.w3.org/TR/WOFF2/) compresses a font with Brotli and stores its outlines in
 * separate streams. fontkit can read this, but it can neither change the weight of such a font nor embed a part of it.
 */

/** The tags by their number in the directory (section 4.1). */
const KNOWN_TAGS = (
  'cmap,head,hhea,hmtx,maxp,name,OS/2,post,cvt ,fpgm,glyf,loca,prep,CFF ,VORG,EBDT,EBLC,gasp,hdmx,kern,LTSH,PCLT,VDMX,vhea,vmtx,' +
  'BASE,GDEF,GPOS,GSUB,EBSC,JSTF,MATH,CBDT,CBLC,COLR,CPAL,SVG ,sbix,acnt,avar,bdat,bloc,bsln,cvar,fdsc,feat,fmtx,fvar,gvar,hsty,' +
  'just,lcar,mort,morx,opbd,prop,trak,Zapf,Silf,Glat,Gloc,Feat,Sill'
).split(',');
const OTHER_TAG = 63;
const HEADER_LENGTH = 48;
const TAGS_OF_OUTLINES = ['glyf', 'loca'];

type Table = { tag: string; content: Buffer };
type Reader = { take: (length: number) => Buffer; byte: () => number; uint16: () => number };
/** A position in the em square, relative to the previous one. */
type Point = { dx: number; dy: number; isOnCurve: boolean };

/** Converts a WOFF2 font with TrueType outlines to a TrueType font without hints. @throws Error for any other file */
export function unpackWoff2(file: Buffer): Buffer {
  const tables = readTables(file);
  const outlines = tables.find(({ tag }) => tag === 'glyf');
  if (outlines === undefined) throw new Error('The font has no TrueType outlines.');
  const glyphs = rebuildGlyphs(outlines.content);
  return writeFont([
    ...tables.filter(({ tag }) => !TAGS_OF_OUTLINES.includes(tag)).map(withLongOffsets),
    { tag: 'glyf', content: Buffer.concat(glyphs) },
    { tag: 'loca', content: offsetsOf(glyphs) },
  ]);
}

function readerOf(bytes: Buffer): Reader {
  let place = 0;
  const take = (length: number) => {
    place += length;
    return bytes.subarray(place - length, place);
  };
  const byte = () => {
    place += 1;
    return bytes.readUInt8(place - 1);
  };
  const uint16 = () => {
    place += 2;
    return bytes.readUInt16BE(place - 2);
  };
  return { take, byte, uint16 };
}

/** Reads the tables. Only outlines may be transformed, and they must be, as the tools that make such fonts do it. */
function readTables(file: Buffer): Table[] {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('The file is no WOFF2 font.');
  const directory = readerOf(file.subarray(HEADER_LENGTH));
  const entries = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = directory.byte();
    const tag = (flags & 63) === OTHER_TAG ? directory.take(4).toString('latin1') : (KNOWN_TAGS[flags & 63] ?? '');
    if (flags >> 6 !== 0) throw new Error(`The font's table ${tag} has a form that is not read here.`);
    const length = readBase128(directory);
    return { tag, length: TAGS_OF_OUTLINES.includes(tag) ? readBase128(directory) : length };
  });
  const tables = readerOf(brotliDecompressSync(directory.take(file.readUInt32BE(20))));
  return entries.map(({ tag, length }) => ({ tag, content: tables.take(length) }));
}

function readBase128(reader: Reader): number {
  let value = 0;
  for (;;) {
    const byte = reader.byte();
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
}

/** Reads a 255UInt16 of section 6.1.1. */
function readShort(reader: Reader): number {
  const code = reader.byte();
  switch (code) {
    case 253:
      return reader.uint16();
    case 254:
      return reader.byte() + 506;
    case 255:
      return reader.byte() + 253;
    default:
      return code;
  }
}

/** Rebuilds the glyphs from seven streams, each with one kind of data of all glyphs (section 5.1). */
function rebuildGlyphs(table: Buffer): Buffer[] {
  const sizes = Array.from({ length: 7 }, (_, index) => table.readUInt32BE(8 + 4 * index));
  const reader = readerOf(table.subarray(36));
  const [contours, counts, flags, triplets, composites] = sizes.map((size) => readerOf(reader.take(size)));
  if (!contours || !counts || !flags || !triplets || !composites) throw new Error('The outlines are cut short.');
  return Array.from({ length: table.readUInt16BE(4) }, () => {
    const contourCount = contours.take(2).readInt16BE();
    if (contourCount === 0) return Buffer.alloc(0);
    if (contourCount < 0) return writeComposite(composites, triplets);
    const pointCounts = Array.from({ length: contourCount }, () => readShort(counts));
    const pointCount = pointCounts.reduce((sum, count) => sum + count, 0);
    const points = Array.from({ length: pointCount }, () => readPoint(flags.byte(), triplets));
    readShort(triplets); // The length of its hints, which have a separate stream.
    return writeSimpleGlyph(pointCounts, points);
  });
}

/** Reads a point in the triplet encoding of section 5.2: the flag says how many bytes follow, and what they mean. */
function readPoint(flag: number, bytes: Reader): Point {
  const isOnCurve = flag < 128;
  const code = flag & 127;
  const signed = (bit: number, value: number) => ((code >> bit) & 1 ? value : -value);
  if (code < 20) {
    const isVertical = code < 10;
    const length = signed(0, (((isVertical ? code : code - 10) & 14) << 7) + bytes.byte());
    return { dx: isVertical ? 0 : length, dy: isVertical ? length : 0, isOnCurve };
  }
  if (code < 84) {
    const [kind, byte] = [code - 20, bytes.byte()];
    const dx = signed(0, 1 + (kind & 0x30) + (byte >> 4));
    return { dx, dy: signed(1, 1 + ((kind & 0x0c) << 2) + (byte & 15)), isOnCurve };
  }
  if (code < 120) {
    const kind = code - 84;
    const dx = signed(0, 1 + (Math.floor(kind / 12) << 8) + bytes.byte());
    return { dx, dy: signed(1, 1 + (((kind % 12) >> 2) << 8) + bytes.byte()), isOnCurve };
  }
  if (code < 124) {
    const [first, middle, last] = [bytes.byte(), bytes.byte(), bytes.byte()];
    return { dx: signed(0, (first << 4) + (middle >> 4)), dy: signed(1, ((middle & 15) << 8) + last), isOnCurve };
  }
  return { dx: signed(0, bytes.uint16()), dy: signed(1, bytes.uint16()), isOnCurve };
}

/**
 * Writes an outline in TrueType's `glyf` form, with two bytes for each distance: https://learn.microsoft.com/typography/opentype/spec/glyf
 * `pointCounts` are the numbers of points of each contour.
 */
export function writeSimpleGlyph(pointCounts: readonly number[], points: readonly Point[]): Buffer {
  const [xs, ys] = [placesOf(points.map(({ dx }) => dx)), placesOf(points.map(({ dy }) => dy))];
  let pointsSoFar = 0;
  const ends = pointCounts.map((count) => {
    pointsSoFar += count;
    return pointsSoFar - 1;
  });
  const head = [pointCounts.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? 1 : 0)));
  const distances = [...points.map(({ dx }) => dx), ...points.map(({ dy }) => dy)];
  return padded(Buffer.concat([shorts([...head, ...ends, 0]), flags, shorts(distances)]));
}

function placesOf(distances: number[]): number[] {
  let place = 0;
  return distances.map((distance) => {
    place += distance;
    return place;
  });
}

/** Copies a glyph that consists of other glyphs, without its hints. */
function writeComposite(composites: Reader, triplets: Reader): Buffer {
  const parts: Buffer[] = [];
  for (let flags = 0x20; flags & 0x20; ) {
    const part = Buffer.from(composites.take(4));
    flags = part.readUInt16BE();
    part.writeUInt16BE(flags & ~0x100);
    const scale = flags & 0x80 ? 8 : flags & 0x40 ? 4 : flags & 8 ? 2 : 0;
    parts.push(part, composites.take((flags & 1 ? 4 : 2) + scale));
    if (flags & 0x100 && !(flags & 0x20)) readShort(triplets);
  }
  return padded(Buffer.concat([shorts([-1, 0, 0, 0, 0]), ...parts]));
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, index * 2);
  return bytes;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

function offsetsOf(glyphs: readonly Buffer[]): Buffer {
  const offsets = Buffer.alloc(4 * (glyphs.length + 1));
  let offset = 0;
  for (const [index, { length }] of glyphs.entries()) {
    offset += length;
    offsets.writeUInt32BE(offset, 4 * (index + 1));
  }
  return offsets;
}

/** Sets the width of the offsets of `loca` in `head`: four bytes, as `offsetsOf` writes them. */
function withLongOffsets({ tag, content }: Table): Table {
  if (tag !== 'head') return { tag, content };
  const changed = Buffer.from(content);
  changed.writeInt16BE(1, 50);
  return { tag, content: changed };
}

/** Writes the font without checksums, which nothing reads. */
function writeFont(tables: Table[]): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.length);
  directory.writeUInt32BE(0x00010000);
  directory.writeUInt16BE(tables.length, 4);
  let offset = directory.length;
  for (const [index, { tag, content }] of tables.entries()) {
    const entry = 12 + 16 * index;
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(content.length, entry + 12);
    offset += padded(content).length;
  }
  return Buffer.concat([directory, ...tables.map(({ content }) => padded(content))]);
}
