import { styleText } from 'node:util';
import type { AnswerInfo } from '../../packages/client/src/index.ts';

/** Prints a request and the status of its answer in one line. */
export function printAnswer({ method, path, status }: AnswerInfo): void {
  const outcome = styleText(status < 400 ? 'green' : 'yellow', String(status));
  console.log(`   ${styleText('cyan', method)} ${path} → ${outcome}`);
}

let steps = 0;

/** Prints the numbered title of the next step. */
export function printStep(title: string): void {
  steps += 1;
  console.log(`\n${styleText('bold', `${String(steps).padStart(2)} ${title}`)}`);
}

/** Prints the interesting part of an answer. */
export function printDetail(text: string): void {
  console.log(`      ${text}`);
}

/** Shows the progress on a terminal, in one line that changes; prints nothing elsewhere. `share` is from 0 to 1. */
export function showProgress(share: number, text: string): void {
  if (!process.stdout.isTTY) return;
  const width = 24;
  const filled = Math.round(share * width);
  const bar = styleText('green', '█'.repeat(filled)) + styleText('dim', '░'.repeat(width - filled));
  process.stdout.write(`\r      ${bar} ${text}\u001b[K`);
}

/** Removes the line of `showProgress`. */
export function endProgress(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
}
