import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOpenToCustomerSessions } from '../../customer-session-scope.ts';
import { readBearer } from '../route/credentials.ts';
import type { Operation } from '../route/operation.ts';
import { ALLOWED_HEADERS, EXPOSED_HEADERS, PREFLIGHT_SECONDS } from './cors.ts';
import { pathOf, toPattern } from './unknown-paths.ts';

/**
 * Allows pages of the operator's product to send the tokens of customer sessions (CORS): by headers on every answer to such a token, and
 * preflights of the paths that are open to it. Not under `/operator` and `/auth`, and never with cookies.
 */
export function allowPagesOfCustomers(app: FastifyInstance): void {
  let paths: Path[] | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined) return done();
    paths ??= readPaths(request.server.http.operations);
    const methods = request.method === 'OPTIONS' ? preflightedMethods(paths, request) : null;
    if (methods === null && !hasCustomerToken(request)) return done();
    const allow = (origins: readonly string[]) => {
      reply.header('vary', 'Origin');
      if (!origins.includes(origin)) return done();
      reply.header('access-control-allow-origin', origin);
      if (methods !== null) return answerPreflight(reply, methods);
      reply.header('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
      done();
    };
    const origins = request.server.http.customerPages.readOrigins();
    if (origins instanceof Promise) origins.then(allow, () => allow([]));
    else allow(origins);
  });
}

/** A path with the methods that are open to customer sessions, perhaps none. */
type Path = { url: string; pattern: RegExp; methods: string[] };

function readPaths(operations: readonly Operation[]): Path[] {
  return [...Map.groupBy(operations, ({ url }) => url)].map(([url, ofUrl]) => ({
    ...{ url, pattern: toPattern(url) },
    methods: ofUrl.filter(isOpenToCustomerSessions).map(({ method }) => method),
  }));
}

/** The methods of a path that are open to customer sessions, if the request is the preflight of one of them; else null. */
function preflightedMethods(paths: readonly Path[], request: FastifyRequest): string[] | null {
  const asked = request.headers['access-control-request-method'];
  const path = pathOf(request);
  // A path of its own comes before one with an id: `/labels/assignments` is no label.
  const found = paths.find(({ url }) => url === path) ?? paths.find(({ pattern }) => pattern.test(path));
  return asked !== undefined && found?.methods.includes(asked) ? found.methods : null;
}

function answerPreflight(reply: FastifyReply, methods: readonly string[]): void {
  reply
    .code(204)
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', ALLOWED_HEADERS.join(', '))
    .header('access-control-max-age', String(PREFLIGHT_SECONDS))
    .header('content-length', '0')
    .send();
}

function hasCustomerToken(request: FastifyRequest): boolean {
  if (/^\/(?:operator|auth)(?:\/|$)/.test(decodedPath(request))) return false;
  const credential = readBearer(request.headers.authorization);
  return credential !== null && request.server.http.customerPages.isOfCustomer(credential);
}

/** The pattern of the route, which no spelling of the path hides; of a path without a route, the path itself. */
function decodedPath(request: FastifyRequest): string {
  if (request.routeOptions.url !== undefined) return request.routeOptions.url;
  try {
    return decodeURIComponent(pathOf(request));
  } catch {
    return '/auth';
  }
}
