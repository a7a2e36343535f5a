import { parentPort } from 'node:worker_threads';
import { drawPdf } from '../pdf/pdf.ts';
import type { Sheet } from '../sheet/sheet.ts';

/** A thread that draws one sheet after the other: see `createPdfRenderer`, which starts it. */
parentPort?.on('message', async (sheet: Sheet) => {
  const bytes = new Uint8Array(await drawPdf(sheet));
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
