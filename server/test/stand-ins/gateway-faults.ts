/** How a stand-in for a gateway fails, with the answers that the gateway, or something in front of it, would give. */
import type { ServerResponse } from 'node:http';
import type { Fault } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { sendHuge, sendRedirect } from '../../src/gateways/sandbox/server/answers.ts';

/** Without a body there is nothing to send. */
export type Answer = { status: number; body?: object };
/** What the gateway says in each case. */
export type FaultWords = {
  rateLimited: Answer;
  unauthorized: Answer;
  forbidden: Answer;
  serverError: Answer;
  /** The beginning of an answer. */
  unparsable: string;
  /** Sound JSON that is no answer to anything. */
  wrongShape: object;
};
export type Pending = { hanging: Set<ServerResponse>; lateTimers: Set<NodeJS.Timeout> };
export type Call = {
  fault: Fault | null;
  words: FaultWords;
  effect: () => Promise<Answer>;
  response: ServerResponse;
  pending: Pending;
};

/** Sends JSON, or nothing. */
export function sendJson(response: ServerResponse, { status, body }: Answer): void {
  if (body === undefined) response.writeHead(status).end();
  else sendText(response, status, JSON.stringify(body));
}

/** Does the work and answers, or fails to do one of the two or both, as the fault wants. */
export async function answerWithFault({ fault, words, effect, response, pending }: Call): Promise<void> {
  const kind = fault?.kind;
  switch (kind) {
    case 'rate_limited':
      return sendJson(response, words.rateLimited);
    case 'unauthorized':
      return sendJson(response, words.unauthorized);
    case 'forbidden':
      return sendJson(response, words.forbidden);
    case 'outage':
      return sendText(response, 503, '<html><h1>Service Unavailable</h1></html>');
    case 'server_error_before_effect':
      return sendJson(response, words.serverError);
    case 'answer_lost_before_effect':
      return void response.destroy();
    case 'hang_before_effect':
      return hang(response, pending.hanging);
    case 'executes_late': {
      const timer = setTimeout(
        () => void effect().finally(() => pending.lateTimers.delete(timer)),
        fault?.delayMs ?? 0,
      );
      pending.lateTimers.add(timer);
      return hang(response, pending.hanging);
    }
    default:
  }

  const answer = await effect();
  switch (kind) {
    case 'server_error_after_effect':
      return sendJson(response, words.serverError);
    case 'answer_lost_after_effect':
      return void response.destroy();
    case 'hang_after_effect':
      return hang(response, pending.hanging);
    case 'unparsable_answer':
      return sendText(response, 200, words.unparsable);
    case 'wrong_shape_answer':
      return sendJson(response, { status: 200, body: words.wrongShape });
    case 'huge_answer':
      return sendHuge(response);
    case 'redirect_answer':
      return sendRedirect(response, response.req.url ?? '/');
    default:
      sendJson(response, answer);
  }
}

/** Nothing waits any more, and nothing happens late. */
export function endPending({ hanging, lateTimers }: Pending): void {
  for (const timer of lateTimers) clearTimeout(timer);
  for (const response of hanging) response.destroy();
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(text);
}

function hang(response: ServerResponse, hanging: Set<ServerResponse>): void {
  if (response.closed) return;
  hanging.add(response);
  response.once('close', () => hanging.delete(response));
}
