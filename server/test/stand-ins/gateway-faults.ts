/**
 * How a stand-in for a gateway fails. Its answers are those that the gateway, or a server in front of it, would send.
 */
import type { ServerResponse } from 'node:http';
import type { Fault } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { sendHuge, sendRedirect } from '../../src/gateways/sandbox/server/answers.ts';
import type { Pending } from '../../src/gateways/sandbox/server/operate.ts';

/** Without a body, only the status is sent. */
export type Answer = { status: number; body?: object };
/** The gateway's answer for each fault. */
export type FaultWords = {
  rateLimited: Answer;
  unauthorized: Answer;
  forbidden: Answer;
  serverError: Answer;
  /** The beginning of an answer, which breaks off. */
  unparsable: string;
  /** Valid JSON that is not a valid answer. */
  wrongShape: object;
};
export type Call = {
  fault: Fault | null;
  words: FaultWords;
  effect: () => Promise<Answer>;
  response: ServerResponse;
  pending: Pending;
};

/** Sends JSON, or an empty body. */
export function sendJson(response: ServerResponse, { status, body }: Answer): void {
  if (body === undefined) response.writeHead(status).end();
  else sendText(response, status, JSON.stringify(body));
}

/** Executes the operation and answers, or fails at one or both of these, as the fault says. */
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
    case 'executes_late':
      pending.lateEffects.start(fault?.delayMs ?? 0, effect);
      return hang(response, pending.hanging);
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

function sendText(response: ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(text);
}

function hang(response: ServerResponse, hanging: Set<ServerResponse>): void {
  if (response.closed) return;
  hanging.add(response);
  response.once('close', () => hanging.delete(response));
}
