import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { readCookie } from '../../platform/http/route/credentials.ts';
import { named } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

/** The cookies of the dashboard, of the console and of customer sessions, so that all can be open in one browser. */
const COOKIES = {
  cookie: '__Host-paydesk',
  console: '__Host-paydesk-console',
  customer: '__Host-paydesk-customer',
} as const;

/** Which cookie has the refresh token. */
export type CookieForm = keyof typeof COOKIES;

/** The query of every route that answers tokens of a user. Without the parameter no cookie is read or set. */
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

const OF_CUSTOMER = '`customer` stands for the cookie `__Host-paydesk-customer` of customer sessions.';

/** The same of the routes that answer, or end, the tokens of any session. */
export const AnySessionQuery = Type.Object({
  session: Type.Optional(
    named(
      'AnySessionCookie',
      Type.Enum(['cookie', 'console', 'customer'] as const, {
        description: `For browsers: which cookie has the refresh token. The values are those of a login. ${OF_CUSTOMER}`,
      }),
    ),
  ),
});

/** The same of the route that opens the dashboard for a customer session. */
export const CustomerSessionCookieQuery = Type.Object({
  session: Type.Optional(
    named(
      'CustomerSessionCookie',
      Type.Enum(['customer'] as const, {
        description: `For browsers: the refresh token is in a cookie that scripts cannot read. ${OF_CUSTOMER}`,
      }),
    ),
  ),
});

export type CookieSettings = { publicUrl: string };

/** Moves the refresh token of an answer into the cookie, if the request asks for one. */
export function deliverTokens<Data extends { refresh_token?: string }>(
  reply: FastifyReply,
  form: CookieForm | undefined,
  maxAgeSeconds: number,
  answer: { error: null; data: Data },
): { error: null; data: Data } {
  if (form === undefined) return answer;
  const { refresh_token: refreshToken = '', ...data } = answer.data;
  setCookie(reply, form, refreshToken, maxAgeSeconds);
  return { ...answer, data: data as Data };
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
