/** How the stand-in for Stripe fails, with the answers that Stripe, or something in front of it, would give. */
import type { ServerResponse } from 'node:http';
import { sendHuge, sendRedirect } from '../src/gateways/sandbox/sandbox.answers.ts';
import type { Fault } from '../src/gateways/sandbox/sandbox.schema.ts';

export type Answer = { status: number; body: object };
export type Call = {
  fault: Fault | null;
  effect: () => Promise<Answer>;
  response: ServerResponse;
  pending: { hanging: Set<ServerResponse>; lateTimers: Set<NodeJS.Timeout> };
};

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Does the work and answers, or fails to do one of the two or both, as the fault wants. */
export async function answerWithFault({ fault, effect, response, pending }: Call): Promise<void> {
  const kind = fault?.kind;
  switch (kind) {
    case 'rate_limited':
      return sendError(response, 429, 'invalid_request_error', 'rate_limit');
    case 'unauthorized':
      return sendError(response, 401, 'invalid_request_error');
    case 'forbidden':
      return sendError(response, 403, 'invalid_request_error');
    case 'outage':
      return sendText(response, 503, '<html><h1>Service Unavailable</h1></html>');
    case 'server_error_before_effect':
      return sendError(response, 500, 'api_error');
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

  const { status, body } = await effect();
  switch (kind) {
    case 'server_error_after_effect':
      return sendError(response, 500, 'api_error');
    case 'answer_lost_after_effect':
      return void response.destroy();
    case 'hang_after_effect':
      return hang(response, pending.hanging);
    case 'unparsable_answer':
      return sendText(response, 200, '{"id":"pi_');
    case 'wrong_shape_answer':
      return sendJson(response, 200, { id: null, object: 'payment_intent', status: 'succeeded', amount_received: '1' });
    case 'huge_answer':
      return sendHuge(response);
    case 'redirect_answer':
      return sendRedirect(response, response.req.url ?? '/');
    default:
      sendJson(response, status, body);
  }
}

function sendError(response: ServerResponse, status: number, type: string, code?: string): void {
  sendJson(response, status, { error: { type, message: 'As Stripe would say it.', ...(code ? { code } : {}) } });
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
