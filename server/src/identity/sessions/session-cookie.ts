import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { readCookie } from '../../platform/http/route/credentials.ts';
import { named } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

/** The cookies of the dashboard, of the console, of customer sessions and of views, so that all can be open in one browser. */
const COOKIES = {
  cookie: '__Host-paydesk',
  console: '__Host-paydesk-console',
  customer: '__Host-paydesk-customer',
  view: '__Host-paydesk-view',
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
const OF_VIEW = '`view` stands for the cookie `__Host-paydesk-view` of the view of a company.';

/** The same of the routes that answer, or end, the tokens of any session. */
export const AnySessionQuery = Type.Object({
  session: Type.Optional(
    named(
      'AnySessionCookie',
      Type.Enum(['cookie', 'console', 'customer', 'view'] as const, {
        description:
          'For browsers: which cookie has the refresh token. The values are those of a login. ' +
          `${OF_CUSTOMER} ${OF_VIEW}`,
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

/** The query of the route that changes an operator key for a session of the console. */
export const ConsoleSessionCookieQuery = Type.Object({
  session: named(
    'ConsoleSessionCookie',
    Type.Enum(['console'] as const, {
      description:
        'The refresh token is in the cookie `__Host-paydesk-console`, which scripts cannot read, and nowhere else.',
      examples: ['console'],
    }),
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
  setSessionCookie(reply, form, refreshToken, maxAgeSeconds);
  return { ...answer, data: data as Data };
}

/** Removes the cookie from the browser. */
export function clearSessionCookie(reply: FastifyReply, form: CookieForm): void {
  setSessionCookie(reply, form, '', 0);
}

/** Sets the cookie. `__Host-` demands `Secure` and the path `/`, and binds it to this host (RFC 6265bis, 4.1.3.2). */
export function setSessionCookie(reply: FastifyReply, form: CookieForm, value: string, maxAgeSeconds: number): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
  reply.header('set-cookie', `${COOKIES[form]}=${value}; ${attributes}`);
}

/**
 * The refresh token of the cookie; null without one. Only pages of the service itself may use it.
 * @throws ApiError origin_not_allowed
 */
export function readSessionCookie(request: FastifyRequest, form: CookieForm, settings: CookieSettings): string | null {
  refuseOtherPages(request, settings);
  return readCookie(request, COOKIES[form]);
}

/** @throws ApiError origin_not_allowed unless a page of the service itself sends the request, as its browser says */
export function refuseOtherPages({ headers }: FastifyRequest, { publicUrl }: CookieSettings): void {
  if (headers.origin === new URL(publicUrl).origin) return;
  throw new ApiError('origin_not_allowed', 'Only pages of this service can use the session cookie.');
}
