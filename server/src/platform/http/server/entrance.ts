import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { pathOf } from './unknown-paths.ts';

/** What whoever is no browser reads at `/`. */
const LINKS = { docs: '/docs', openapi: '/openapi.json', app: '/app', console: '/console' } as const;

/** The addresses of the pages for people. */
const PAGES = /^\/(?:(?:app|console)(?:\/.*)?)?$/;
const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Serves `/`, which leads browsers to the dashboard and everybody else to the reference. Without `PUBLIC_URL`, browsers that open a page at
 * the address of loopback go on at `localhost`: the origin of the cookies and the passkeys is one.
 */
export function registerEntrance(
  app: FastifyInstance,
  { publicUrl, isPublicUrlSet }: Pick<Config, 'publicUrl' | 'isPublicUrlSet'>,
): void {
  if (!isPublicUrlSet) {
    app.addHook('onRequest', (request, reply, done) => {
      const { headers, url } = request;
      const isPage = PAGES.test(pathOf(request)) && isNavigation(request);
      if (!isPage || !LOOPBACK.test(headers.host ?? '')) return done();
      varyByAccept(reply).redirect(localOrigin(publicUrl, request) + url, 302);
    });
  }
  app.get('/', { schema: { querystring: {} } }, async (request, reply) => {
    varyByAccept(reply);
    return isNavigation(request) ? reply.redirect('/app', 302) : LINKS;
  });
}

/** Whether a browser opens a page. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');
}

/** The default of `PUBLIC_URL`, with the port that was taken if any could be. */
function localOrigin(publicUrl: string, { socket }: FastifyRequest): string {
  return new URL(publicUrl).port === '0' ? `http://localhost:${socket.localPort}` : publicUrl;
}

/** The answer depends on what the client accepts. */
function varyByAccept(reply: FastifyReply): FastifyReply {
  const others = reply.getHeader('vary');
  return reply.header('vary', others === undefined ? 'Accept' : `${others}, Accept`);
}
