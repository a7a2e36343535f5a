import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { sendError } from './errors.ts';

/** An unknown path is 404; a known one with another method is 405 with `Allow`. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    methodsByPath.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const matching = [...methodsByPath.values()].filter(({ pattern }) => pattern.test(path));
    if (matching.length === 0)
      return sendError(new ApiError('not_found', 'There is nothing at this path.'), request, reply);
    const allowed = [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort().join(', ');
    reply.header('allow', allowed);
    return sendError(new ApiError('method_not_allowed', `This path takes ${allowed}.`), request, reply);
  });
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}$`);
}
