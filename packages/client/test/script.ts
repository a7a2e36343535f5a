/** A server on loopback that gives scripted answers, one for each request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi } from '../src/api.ts';
import { createSend } from '../src/calls/send.ts';
import type { PaydeskOptions } from '../src/calls/types.ts';

export type RecordedRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string };
/** A status with a body and headers, a closed connection, or no answer. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | 'silence';

export type Script = {
  url: string;
  /** The requests in their order. */
  asked: RecordedRequest[];
  /** Sets the answers to the next requests. The last one is repeated. */
  play: (...replies: Reply[]) => void;
  /** Closes the connections of the requests that got no answer. */
  cut: () => void;
  stop: () => Promise<void>;
};

/** Starts the server on a free port. */
export async function startScript(): Promise<Script> {
  const asked: RecordedRequest[] = [];
  let replies: Reply[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      const [reply] = replies;
      if (replies.length > 1) replies = replies.slice(1);
      answer(response, reply ?? 'cut');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    play: (...next) => {
      asked.length = 0;
      replies = next;
    },
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'cut') {
    response.destroy();
    return;
  }
  const { status, body, headers = {} } = reply;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers });
  response.end(body === undefined ? undefined : text);
}

/** Builds an error as the service answers it. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { error: { code, message: `It is ${code}.`, details: [], requestId: 'request-1' } } };
}

/** Creates a client that records its waits, which end at once. The random part of each wait is at its maximum. */
export function createFakeTimeClient(options: PaydeskOptions) {
  const waitsMs: number[] = [];
  const sleep = async (delayMs: number) => void waitsMs.push(delayMs);
  const send = createSend({ accessToken: 'token', ...options }, { sleep, random: () => 1 });
  return { paydesk: createApi(send), waitsMs };
}
