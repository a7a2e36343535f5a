import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { sendError } from '../route/errors.ts';

/** An unknown path is 404, and so is what a route does not find; a known path with another method is 405 with `Allow`. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    methodsByPath.set(url, known);
  });
  const refusal = (request: FastifyRequest, reply: FastifyReply): ApiError => {
    const path = pathOf(request);
    const exact = methodsByPath.get(path);
    const matching = exact ? [exact] : [...methodsByPath.values()].filter(({ pattern }) => pattern.test(path));
    const isKnown = matching.some(({ methods }) => !methods.has(request.method));
    if (!isKnown) return new ApiError('not_found', describeUnknown(methodsByPath));
    const allowed = [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort().join(', ');
    reply.header('allow', allowed);
    return new ApiError('method_not_allowed', `This path takes ${allowed}.`);
  };
  /** Whether a route with a parameter has matched a path that has routes of its own: `PUT /passkeys/options` is none of `/passkeys/:id`. */
  const isOfNamedPath = (request: FastifyRequest): boolean => {
    const path = pathOf(request);
    return path !== request.routeOptions.url && methodsByPath.has(path);
  };
  // In a hook, before the body is read: path and method are checked before the body.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && !isOfNamedPath(request)) return done();
    if (methodsByPath.has('/docs') && leadsToDocs(request)) return void reply.redirect('/docs', 302);
    return done(refusal(request, reply));
  });
  app.setNotFoundHandler((request, reply) => sendError(refusal(request, reply), request, reply));
}

/** The path of a request as it was sent, without the query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** Whether only a trailing slash separates the path from that of the reference. */
function leadsToDocs(request: FastifyRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && pathOf(request) === '/docs/';
}

/** Names the reference. */
function describeUnknown(known: ReadonlyMap<string, unknown>): string {
  return `There is nothing at this path.${known.has('/docs') ? ' What there is stands at /docs.' : ''}`;
}

/** The pattern of the paths of a route: a name stands for a part of the path, an asterisk for the rest of it. */
export function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
}
