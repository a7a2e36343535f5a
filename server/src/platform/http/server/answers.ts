import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** An answer that was sent, or given up on. */
export type SentAnswer = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The pattern, such as `/labels/:label_id`; `unknown` where no route matched. */
  route: string;
  /** From the head of the request to the last byte of the answer. */
  durationMs: number;
};

export type AnswerObserver = (answer: SentAnswer) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Called for every answer. One hook serves them all: it is run for each request. */
    answerObservers: AnswerObserver[];
  }
}

/** Tells these observers, and those that are added later, of every answer. */
export function observeAnswers(app: FastifyInstance, observers: AnswerObserver[]): void {
  app.decorate('answerObservers', observers);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const answer: SentAnswer = { request, reply, route, durationMs: reply.elapsedTime };
    for (const observe of observers) observe(answer);
    done();
  });
}
