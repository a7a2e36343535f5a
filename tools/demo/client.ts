import { styleText } from 'node:util';
import { TerminalError, UNKNOWN_KEY, unreachable } from '../paydesk/access.ts';

export type Answer<Body> = { status: number; body: Body };
export type Call = {
  credential?: string;
  body?: object;
  /** The body's; JSON's own when absent. */
  mediaType?: string;
  /** Without a line of its own: for what is asked again and again. */
  isQuiet?: boolean;
};
export type Client = {
  /** Sends a request. @returns the answer, whose body is JSON */
  call: <Body>(method: string, path: string, expected: number, call?: Call) => Promise<Answer<Body>>;
  /** Reads a file. */
  download: (path: string, credential: string) => Promise<Buffer>;
};

/** Something that the reader of the demo can do something about. */
export class DemoError extends TerminalError {}

/**
 * Sends requests with plain HTTP and prints a line for each: the request and the status of its answer.
 * Rejects with a `DemoError` when nothing answers, or when the status is not the expected one.
 */
export function createClient(url: string): Client {
  const send = async (method: string, path: string, expected: number, call: Call): Promise<Response> => {
    const { credential, body, mediaType = 'application/json', isQuiet = false } = call;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw unreachable(url, error);
    });
    if (!isQuiet) printRequest(method, path, response.status);
    if (response.status === 401 && path.startsWith('/operator/')) throw new DemoError(UNKNOWN_KEY);
    if (response.status !== expected) {
      const text = await response.text();
      throw new DemoError(`That should have been answered with ${expected}. The answer was: ${text}`);
    }
    return response;
  };
  return {
    call: async <Body>(method: string, path: string, expected: number, call: Call = {}) => {
      const response = await send(method, path, expected, call);
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
    },
    download: async (path, credential) => {
      const response = await send('GET', path, 200, { credential });
      return Buffer.from(await response.arrayBuffer());
    },
  };
}

function printRequest(method: string, path: string, status: number): void {
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
