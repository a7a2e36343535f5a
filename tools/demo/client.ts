import { styleText } from 'node:util';

export type Answer<Body> = { status: number; body: Body };
export type Call = { credential?: string; body?: object };
export type Client = <Body>(method: string, path: string, expected: number, call?: Call) => Promise<Answer<Body>>;

/** Something that the reader of the demo can do something about. */
export class DemoError extends Error {}

/**
 * Sends requests with plain HTTP and prints a line for each: the request and the status of its answer.
 * Rejects with a `DemoError` when nothing answers, or when the status is not the expected one.
 */
export function createClient(url: string): Client {
  return async <Body>(method: string, path: string, expected: number, { credential, body }: Call = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new DemoError(
        `Nothing answers at ${url} (${reasonOf(error)}). Start the service with \`npm start\` in another terminal, ` +
          'or say where it is with PAYDESK_URL.',
      );
    });
    const text = await response.text();
    printRequest(method, path, response.status);
    if (response.status !== expected)
      throw new DemoError(`That should have been answered with ${expected}. The answer was: ${text}`);
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
  };
}

function reasonOf({ cause, message }: Error): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : message;
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
