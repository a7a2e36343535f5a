import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** An answer that was sent or aborted. */
export type SentAnswer = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The pattern, such as `/labels/:label_id`; `unknown` where no route matched. */
  route: string;
  /** From the request's head to the answer's last byte. */
  durationMs: number;
};

export type AnswerObserver = (answer: SentAnswer) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Called for every answer. All observers share one hook, because hooks run for each request. */
    answerObservers: AnswerObserver[];
  }
}

/** Notifies these observers, and those added later, of every answer. */
export function observeAnswers(app: FastifyInstance, observers: AnswerObserver[]): void {
  app.decorate('answerObservers', observers);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const answer: SentAnswer = { request, reply, route, durationMs: reply.elapsedTime };
    for (const observe of observers) observe(answer);
    done();
  });
}
