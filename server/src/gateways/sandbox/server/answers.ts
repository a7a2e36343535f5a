/** Sends the answers of the sandbox gateway, valid and invalid ones. */
import type { ServerResponse } from 'node:http';

export type Answer = { status: number; body: unknown };

const hugeAnswerBytes = 50 * 1024 * 1024;
const hugeAnswerPiece = Buffer.alloc(64 * 1024, ' ');

/** Sends a valid answer, with amounts as decimal strings. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.body, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
  sendText(response, answer.status, text);
}

/** Creates the answer to a request that is not carried out; `code` is the reason. */
export function refusal(status: number, code: string): Answer {
  return { status, body: { error: { code } } };
}

/** Sends an incomplete JSON text with a correct length. */
export function sendUnparsable(response: ServerResponse): void {
  sendText(response, 200, '{"id":"payment_');
}

/** Sends valid JSON that is not a valid answer. */
export function sendWrongShape(response: ServerResponse): void {
  sendText(response, 200, '{"id":null,"status":"captured","capturedAmountMinor":1}');
}

/** Redirects to the same path. A client that follows it repeats the request. */
export function sendRedirect(response: ServerResponse, path: string): void {
  response.setHeader('location', path);
  sendText(response, 307, '{}');
}

/** Sends 50 MB of valid JSON, as fast as the client reads it. */
export function sendHuge(response: ServerResponse): void {
  let leftBytes = hugeAnswerBytes;
  response.writeHead(200, { 'content-type': 'application/json' });
  const pump = () => {
    while (leftBytes > 0 && !response.destroyed) {
      leftBytes -= hugeAnswerPiece.length;
      if (!response.write(hugeAnswerPiece)) return;
    }
    response.off('drain', pump);
    response.end('{}');
  };
  response.on('drain', pump);
  pump();
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}
