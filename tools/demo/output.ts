import { styleText } from 'node:util';
import type { AnswerInfo } from '../../packages/client/src/index.ts';

/** Prints a request and the status of its answer, in a line. */
export function printAnswer({ method, path, status }: AnswerInfo): void {
  const outcome = styleText(status < 400 ? 'green' : 'yellow', String(status));
  console.log(`   ${styleText('cyan', method)} ${path} → ${outcome}`);
}

let steps = 0;

/** Begins a step: what is about to happen, in a line with a number. */
export function begin(title: string): void {
  steps += 1;
  console.log(`\n${styleText('bold', `${String(steps).padStart(2)} ${title}`)}`);
}

/** Prints the telling part of an answer. */
export function tell(text: string): void {
  console.log(`      ${text}`);
}

/** Shows how far something is: on a terminal in one line that changes, elsewhere not at all. `share` is from 0 to 1. */
export function showProgress(share: number, text: string): void {
  if (!process.stdout.isTTY) return;
  const width = 24;
  const filled = Math.round(share * width);
  const bar = styleText('green', '█'.repeat(filled)) + styleText('dim', '░'.repeat(width - filled));
  process.stdout.write(`\r      ${bar} ${text}\u001b[K`);
}

/** Takes the line of `showProgress` away. */
export function endProgress(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
}
