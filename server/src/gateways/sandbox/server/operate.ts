/** Carries out one operation of the sandbox gateway, or makes it fail as the fault demands. */
import type { ServerResponse } from 'node:http';
import type { Fault, FaultKind } from '../bank/bank.schema.ts';
import * as answers from './answers.ts';
import { createDelays, type Delays } from './delays.ts';

/** Answers that are never sent, requests that wait because of a `latency`, and effects that come late. */
export type Pending = { hanging: Set<ServerResponse>; latencies: Delays; lateEffects: Delays };

/** Nothing is pending at the start. */
export function createPending(): Pending {
  return { hanging: new Set(), latencies: createDelays(), lateEffects: createDelays() };
}

export type OperationCall = {
  fault: Fault | null;
  /** Does the work. It never throws. */
  effect: () => answers.Answer;
  response: ServerResponse;
  pending: Pending;
};

type Reply = (call: OperationCall) => void;

const insteadOfEffect: Partial<Record<FaultKind, Reply>> = {
  rate_limited({ response }) {
    response.setHeader('retry-after', '1');
    answers.sendAnswer(response, answers.refusal(429, 'rate_limited'));
  },
  unauthorized: ({ response }) => answers.sendAnswer(response, answers.refusal(401, 'unauthorized')),
  forbidden: ({ response }) => answers.sendAnswer(response, answers.refusal(403, 'forbidden')),
  outage: ({ response }) => answers.sendAnswer(response, answers.refusal(503, 'outage')),
  server_error_before_effect: sendServerError,
  answer_lost_before_effect: loseAnswer,
  hang_before_effect: hang,
  executes_late(call) {
    const { fault, effect, pending } = call;
    pending.lateEffects.start(fault?.delayMs ?? 0, effect);
    hang(call);
  },
};

const afterEffect: Partial<Record<FaultKind, Reply>> = {
  server_error_after_effect: sendServerError,
  answer_lost_after_effect: loseAnswer,
  hang_after_effect: hang,
  unparsable_answer: ({ response }) => answers.sendUnparsable(response),
  wrong_shape_answer: ({ response }) => answers.sendWrongShape(response),
  huge_answer: ({ response }) => answers.sendHuge(response),
  redirect_answer: ({ response }) => answers.sendRedirect(response, response.req.url ?? '/'),
};

/** Runs the effect at most once, before any answer. */
export function operate(call: OperationCall): void {
  const { fault, effect, response } = call;
  const replyInstead = fault ? insteadOfEffect[fault.kind] : undefined;
  if (replyInstead) {
    replyInstead(call);
    return;
  }

  const answer = effect();
  const breakAnswer = fault ? afterEffect[fault.kind] : undefined;
  if (breakAnswer) breakAnswer(call);
  else answers.sendAnswer(response, answer);
}

/** Closes the hanging and the waiting responses, and cancels the late effects. */
export function dropPending(pending: Pending): void {
  pending.latencies.dropAll();
  pending.lateEffects.dropAll();
  for (const response of pending.hanging) response.destroy();
}

function sendServerError({ response }: OperationCall): void {
  answers.sendAnswer(response, answers.refusal(500, 'server_error'));
}

function loseAnswer({ response }: OperationCall): void {
  response.destroy();
}

function hang({ response, pending }: OperationCall): void {
  if (response.closed) return;
  pending.hanging.add(response);
  response.once('close', () => pending.hanging.delete(response));
}
