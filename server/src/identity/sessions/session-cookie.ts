import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { readCookie } from '../../platform/http/route/credentials.ts';
import { named } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import type { AuthAnswer } from './sessions.schema.ts';

/** The cookie of the dashboard and that of the console, so that both can be open in one browser. */
const COOKIES = { cookie: '__Host-paydesk', console: '__Host-paydesk-console' } as const;

/** Which cookie has the refresh token. */
export type CookieForm = keyof typeof COOKIES;

/** The query of every route that answers tokens, or ends them. Without the parameter no cookie is read or set. */
export const SessionQuery = Type.Object({
  session: Type.Optional(
    named(
      'SessionCookie',
      Type.Enum(['cookie', 'console'] as const, {
        description:
          'Keeps the refresh token in a cookie that scripts cannot read, instead of in the body. `cookie` stands for ' +
          'the cookie `__Host-paydesk`, and `console` for `__Host-paydesk-console`. Browsers accept these cookies over ' +
          'HTTPS and on localhost.',
      }),
    ),
  ),
});

export type CookieSettings = { publicUrl: string; sessionIdleSeconds: number };

/** Moves the refresh token of an answer into the cookie, if the request asks for one. */
export function deliverTokens(
  reply: FastifyReply,
  form: CookieForm | undefined,
  { sessionIdleSeconds }: CookieSettings,
  answer: AuthAnswer,
): AuthAnswer {
  if (form === undefined) return answer;
  const { refresh_token: refreshToken = '', ...data } = answer.data;
  setCookie(reply, form, refreshToken, sessionIdleSeconds);
  return { ...answer, data };
}

/** Removes the cookie from the browser. */
export function clearSessionCookie(reply: FastifyReply, form: CookieForm): void {
  setCookie(reply, form, '', 0);
}

/** `__Host-` demands `Secure` and the path `/`, and binds the cookie to this host (RFC 6265bis, 4.1.3.2). */
function setCookie(reply: FastifyReply, form: CookieForm, value: string, maxAgeSeconds: number): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
  reply.header('set-cookie', `${COOKIES[form]}=${value}; ${attributes}`);
}

/**
 * The refresh token of the cookie; null without one. Only pages of the service itself may use it.
 * @throws ApiError origin_not_allowed
 */
export function readSessionCookie(
  request: FastifyRequest,
  form: CookieForm,
  { publicUrl }: CookieSettings,
): string | null {
  if (request.headers.origin !== new URL(publicUrl).origin) {
    throw new ApiError('origin_not_allowed', 'Only pages of this service can use the session cookie.');
  }
  return readCookie(request, COOKIES[form]);
}
