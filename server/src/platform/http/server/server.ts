import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors.ts';
import { holdsCardNumber } from '../../logging/card-numbers.ts';
import { handleErrors, sendError, toApiError } from '../route/errors.ts';
import { refuseUnknownParameters } from '../route/unknown-fields.ts';
import { acceptJsonOnly } from '../schema/json-body.ts';
import { serializeBySchema } from '../schema/serialization.ts';
import { validateStrictly } from '../schema/validation.ts';
import { createAccessLog } from './access-log.ts';
import { observeAnswers } from './answers.ts';
import { limitConnections, sendAndClose } from './connections.ts';
import { allowOrigins } from './cors.ts';
import { allowPagesOfCustomers } from './customer-cors.ts';
import { refuseUnknownPaths } from './unknown-paths.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** The longest possible path: a long id is an unknown id (404), not another kind of error. */
const MAX_PATH_ID_CHARACTERS = 16 * 1024;

export type ServerOptions = Pick<
  Config,
  'corsOrigins' | 'trustedProxies' | 'maxConnections' | 'maxConnectionsPerAddress'
> & {
  logger: Logger;
  /** How long an answer may wait for a client that does not read; tests use less. */
  stalledTimeoutMs?: number;
};

/** The HTTP server with everything that holds for every route, without routes. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 20_000,
    // headersTimeout must be the smaller one, and the interval short, or slow clients are cut a minute late. A missing
    // Host is refused below, in the usual error shape.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    routerOptions: { maxParamLength: MAX_PATH_ID_CHARACTERS },
    forceCloseConnections: 'idle',
    // Requests on open connections while draining are answered as usual, instead of in Fastify's own shape.
    return503OnClosing: false,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    // A child logger per request costs more than adding the request id to its lines.
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      return sendError(toApiError(error, request), request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  });
  app.decorateRequest('principal', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('bodyBytes', null);
  limitConnections(app.server, options);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 in its own shape.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.prependListener('request', reduceUrlToPath);
  acceptJsonOnly(app);
  validateStrictly(app);
  serializeBySchema(app);
  handleErrors(app);
  beginAnswers(app);
  allowPagesOfCustomers(app);
  await allowOrigins(app, options.corsOrigins);
  refuseUnknownPaths(app);
  refuseUnknownParameters(app);
  refuseBrokenUrls(app);
  observeAnswers(app, [createAccessLog(options.logger)]);
  return app;
}

/** A client may send the absolute address, as to a proxy (RFC 9112, 3.2.2). It is reduced to the path. */
function reduceUrlToPath(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  if (path !== url) request.url = path.startsWith('/') ? path : `/${path}`;
}

/**
 * An incoming id of 1 to 128 visible ASCII characters without a card number is kept, so that a request can be followed
 * across services.
 */
function requestId(incoming: string | string[] | undefined): string {
  const isKept = typeof incoming === 'string' && /^[\x21-\x7e]{1,128}$/.test(incoming) && !holdsCardNumber(incoming);
  return isKept ? incoming : randomUUID();
}

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
}

/**
 * Sets the headers of every answer. HTTP/1.1 requires exactly one Host header: of two, a proxy may have used the other
 * one.
 */
function beginAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    const hosts = countHosts(request);
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return begin(request, done);
    reply.header('connection', 'close');
    done(new ApiError('invalid_request', 'The request must have exactly one Host header.'));
  });
}

/** A chunked body may be invalid in what has arrived already: Node reports that first, and one answer is enough. */
function begin({ headers }: FastifyRequest, done: () => void): void {
  if (headers['transfer-encoding'] === undefined) done();
  else setImmediate(done);
}

function countHosts({ raw: { rawHeaders } }: FastifyRequest): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/**
 * Refuses percent signs that don't decode to UTF-8, and U+0000. After authentication, like all validation. The query of a page is for its
 * script, which says what is wrong with it.
 */
function refuseBrokenUrls(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.isPage || isDecodable(request.url)) done();
    else done(new ApiError('invalid_request', 'The URL contains a character that is not allowed.'));
  });
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0');
  } catch {
    return false;
  }
}

/** A request that is not HTTP gets one plain answer, and the connection is closed. */
function answerBrokenRequest(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : timedOut
      ? '408 Request Timeout'
      : '400 Bad Request';
  const code = tooLarge ? 'headers_too_large' : timedOut ? 'request_timeout' : 'invalid_request';
  const id = randomUUID();
  const message = tooLarge
    ? 'The request headers are too large.'
    : timedOut
      ? 'The request took too long.'
      : 'The request is not valid HTTP.';
  const body = JSON.stringify({ error: { code, message, details: [], requestId: id } });
  sendAndClose(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
}
