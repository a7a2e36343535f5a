import { styleText } from 'node:util';
import type { BillingRun } from '../../packages/client/src/index.ts';

const BAR_CELLS = 24;
const MAX_LINE_SECONDS = 10;

export type Progress = {
  show: (run: BillingRun) => void;
  /** Prints a text beside the progress. */
  print: (text: string) => void;
  /** Ends the line that is drawn. */
  end: () => void;
};

type Screen = { write: (text: string) => unknown; isTTY?: boolean; columns?: number };

/** Draws a bar on a terminal, always on the same line. Elsewhere it writes a line when something changed, at most every ten seconds. */
export function createProgress(screen: Screen, nowMs: () => number = () => performance.now()): Progress {
  return screen.isTTY ? drawBar(screen) : writeLines(screen, nowMs);
}

function drawBar(screen: Screen): Progress {
  const clear = () => screen.write('\r\u001b[2K');
  return {
    show: (run) => {
      const filled = Math.floor(BAR_CELLS * partOf(run));
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
      const text = `${describe(run)}`.slice(0, Math.max(0, (screen.columns ?? 80) - BAR_CELLS - 2));
      clear();
      screen.write(`${styleText('cyan', bar, { validateStream: false })} ${text}`);
    },
    print: (text) => {
      clear();
      screen.write(`${text}\n`);
    },
    end: clear,
  };
}

function writeLines(screen: Screen, nowMs: () => number): Progress {
  let last = { line: '', atMs: Number.NEGATIVE_INFINITY };
  return {
    show: (run) => {
      const line = describe(run);
      const isNew = line !== last.line && nowMs() - last.atMs >= MAX_LINE_SECONDS * 1_000;
      if (!isNew) return;
      last = { line, atMs: nowMs() };
      screen.write(`${line}\n`);
    },
    print: (text) => void screen.write(`${text}\n`),
    end: () => undefined,
  };
}

function partOf({ done, companies }: BillingRun): number {
  return companies === 0 ? 1 : Math.min(1, done / companies);
}

function describe(run: BillingRun): string {
  const { done, companies, invoices, failures, remainingSeconds } = run;
  const parts = [
    `${Math.floor(100 * partOf(run))} %`,
    `${formatCount(done)} of ${formatCount(companies)} companies`,
    `${formatCount(invoices)} invoices`,
    ...(failures === 0 ? [] : [`${formatCount(failures)} failed`]),
    ...(remainingSeconds === null ? [] : [`${formatSeconds(remainingSeconds)} left`]),
  ];
  return parts.join(', ');
}

/** Writes `12345` as 12,345. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function formatSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
