import { parentPort } from 'node:worker_threads';
import { drawPdf } from './pdf/pdf.ts';
import type { Sheet } from './sheet/sheet.ts';

/** Draws one sheet after the other in a worker thread, which `createPdfRenderer` starts. */
parentPort?.on('message', async (sheet: Sheet) => {
  const bytes = new Uint8Array(await drawPdf(sheet));
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
