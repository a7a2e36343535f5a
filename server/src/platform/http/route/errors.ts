import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseErrorCode, isConflict, isDatabaseUnavailable } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';

/** The shape of every error: `{"error": {...}}`; `/auth/*` adds `"data": null`. */
export function errorBody(error: ApiError, requestId: string, path: string): object {
  const { code, message, details, declineCode, waiting } = error;
  const more = { ...(declineCode ? { declineCode } : {}), ...waiting };
  const body = { error: { code, message, details, ...more, requestId } };
  return path.startsWith('/auth/') ? { ...body, data: null } : body;
}

/** Answers every error, known or not, in that shape. Internal causes are logged and never answered. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown: FastifyError, request, reply) =>
    sendError(toLoggedError(thrown, request), request, reply),
  );
}

/** What a client may know of a thrown error, once its cause is in the log. */
export function toLoggedError(thrown: unknown, request: FastifyRequest): ApiError {
  const error = toApiError(thrown, request);
  if (isOfDepartedClient(thrown, request)) {
    request.log.info(
      { reqId: request.id, route: request.routeOptions.url },
      'the client disconnected before its request was complete',
    );
  } else if (error.status >= 500 && error.code !== 'charges_held')
    // A hold is told by its alert, once, and may last for hours.
    request.log.error({ reqId: request.id, err: thrown, code: error.code }, 'request failed');
  request.errorCode = error.code;
  return error;
}

/** Sends an error with the headers that its status requires. */
export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.errorCode = error.code;
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(error, request.id, request.routeOptions.url ?? request.url));
}

/**
 * Node ends the request's stream with this error when the client disconnects before the body is complete, which is not
 * our fault.
 */
function isOfDepartedClient(thrown: unknown, { raw }: FastifyRequest): boolean {
  return thrown !== null && thrown === raw.errored && !raw.complete;
}

/** What a client may know of any thrown error. */
export function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isOfDepartedClient(thrown, request)) return new ApiError('invalid_request', 'The request is not complete.');
  if (isDatabaseUnavailable(thrown)) {
    return new ApiError('service_unavailable', 'The database is not available right now.', {
      retryAfterSeconds: 2,
      cause: thrown,
    });
  }
  if (isConflict(thrown)) {
    return new ApiError(
      'service_unavailable',
      'Other requests changed the same data at the same time. Nothing was done. Try again.',
      {
        retryAfterSeconds: 1,
        cause: thrown,
      },
    );
  }
  const code = databaseErrorCode(thrown) ?? '';
  if (/^22/.test(code)) {
    request.log.error({ reqId: request.id, err: thrown }, 'the database refused a value that validation accepted');
    return new ApiError('invalid_request', 'A value is not valid.', { cause: thrown });
  }
  if (code.startsWith('FST_ERR_') || code.startsWith('ERR_')) return fromFramework(code, thrown as FastifyError);
  return new ApiError('internal_error', 'An error occurred on our side.', { cause: thrown });
}

function fromFramework(code: string, thrown: FastifyError): ApiError {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'The body must be JSON: send Content-Type: application/json.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large', 'The body is too large.');
    default:
      if (thrown.statusCode !== undefined && thrown.statusCode < 500) {
        return new ApiError('invalid_request', 'The request is malformed.', { cause: thrown });
      }
      return new ApiError('internal_error', 'An error occurred on our side.', { cause: thrown });
  }
}
