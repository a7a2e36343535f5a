import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../platform/errors.ts';
import { createFairTurns } from '../platform/http/limits/fair-turns.ts';
import type { Sheet } from './sheet/sheet.ts';

/**
 * PDFs are drawn in parallel, and companies take turns. If too many requests wait, too many of one company, or one for
 * too long, the answer is 503.
 */
const MAX_THREADS = 2;
const MAX_WAITING = 50;
const MAX_WAITING_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;
/** A thread keeps fonts in memory, so idle threads end. */
const IDLE_MS = 60_000;
/** Several times what the longest invoice needs. A thread that exceeds it ends, and its request fails. */
const MAX_MEMORY_MB = 256;

export type PdfRenderer = {
  /**
   * Draws the sheet that `read` returns for a company. It is read only when its turn has come, so waiting requests take
   * no memory.
   * @throws ApiError service_unavailable when too many wait, or it waited too long
   */
  render: (companyId: string, read: () => Promise<Sheet>) => Promise<Buffer>;
  close: () => Promise<void>;
};

type Thread = { worker: Worker; idle: NodeJS.Timeout | undefined };

/** Draws PDFs in worker threads, started on demand: a long invoice takes a second of CPU time. */
export function createPdfRenderer(): PdfRenderer {
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const takeTurns = createFairTurns({
    atOnce: MAX_THREADS,
    waiting: MAX_WAITING,
    waitMs: MAX_WAITING_MS,
    refusal: refuse,
  });

  const end = async (thread: Thread) => {
    all.delete(thread);
    clearTimeout(thread.idle);
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    await thread.worker.terminate();
  };
  const start = (): Thread => {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_MEMORY_MB };
    const worker = new Worker(new URL('./renderer.worker.ts', import.meta.url), { resourceLimits, execArgv: [] });
    worker.unref();
    const thread = { worker, idle: undefined };
    all.add(thread);
    return thread;
  };
  const rest = (thread: Thread) => {
    idle.push(thread);
    thread.idle = setTimeout(() => void end(thread), IDLE_MS).unref();
  };
  const draw = async (sheet: Sheet): Promise<Buffer> => {
    const thread = idle.pop() ?? start();
    clearTimeout(thread.idle);
    try {
      const bytes = await exchange(thread.worker, sheet);
      rest(thread);
      return bytes;
    } catch (error) {
      await end(thread);
      throw error;
    }
  };

  return {
    render: (companyId, read) => takeTurns(companyId, async () => draw(await read())),
    close: async () => void (await Promise.all([...all].map(end))),
  };
}

function refuse(): ApiError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new ApiError('service_unavailable', 'Too many PDFs are being drawn right now.', options);
}

/** Sends a sheet to the thread and waits for the PDF. Rejects if the thread fails or ends. */
async function exchange(worker: Worker, sheet: Sheet): Promise<Buffer> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread that drew a PDF ended.');
  });
  try {
    worker.postMessage(sheet);
    const [bytes] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return Buffer.from((bytes as Uint8Array).buffer);
  } finally {
    over.abort();
    ended.catch(() => undefined);
  }
}
