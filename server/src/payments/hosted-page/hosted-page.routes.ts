import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { OF_STRIPE } from '../../platform/http/dashboard/content-security-policy.ts';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { toLoggedError } from '../../platform/http/route/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { findLinked } from '../links/links.service.ts';
import { readForm } from './form.ts';
import { ASSETS_PATH, loadAssets } from './page/assets.ts';
import { languageOf } from './page/language.ts';
import { readNotice, writeNotice } from './page/notice.ts';
import { type PageDependencies, readPage } from './page/page.service.ts';
import { drawError, drawPage } from './page/page.ts';
import { confirmAsAsked, type PayDependencies, payAsAsked } from './pay.ts';
import { createUnknownLinks } from './unknown-links.ts';

export type HostedPageDependencies = PageDependencies &
  PayDependencies & { keyring: Keyring; drawInvoice: (companyId: string, invoiceId: string) => Promise<Uint8Array> };

type Linked = { companyId: string; invoiceId: string };
type Sent = Asked & { Body: URLSearchParams | undefined };
type Asked = { Params: { token: string }; Querystring: Record<string, unknown> };

const FORM_LIMIT_BYTES = 16 * 1024;
const YEAR_S = 31_536_000;
/** When a page that waits for an answer looks again, for browsers without a script. */
const LOOK_AGAIN_S = 5;

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
const POLICY_WITH_STRIPE = [
  POLICY,
  `script-src 'self' ${OF_STRIPE['script-src']}`,
  `connect-src ${OF_STRIPE['connect-src']}`,
  `frame-src ${OF_STRIPE['frame-src']}`,
].join('; ');

/** What all answers have beside the headers of the whole service, which forbid frames, referrers and copies. */
const HEADERS = { 'content-security-policy': POLICY, 'x-robots-tag': 'noindex', vary: 'accept-language' } as const;

/**
 * Registers the hosted pages of invoices, for browsers: none of it is an operation of the API. In a scope of its own, since its bodies are
 * forms and its errors are pages.
 */
export function registerHostedPage(app: FastifyInstance, dependencies: HostedPageDependencies): void {
  serveAssets(app);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      async ({ headers }: FastifyRequest, body: Buffer) =>
        readForm(headers['content-type'] ?? '', headers['content-encoding'], body),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS);
      if (request.method !== 'POST') return;
      refuseOtherPages(request, dependencies.config.publicUrl);
      // One that is named is checked with the body; an empty body needs no name elsewhere.
      if (request.headers['content-type'] === undefined)
        throw new ApiError('unsupported_media_type', 'The page takes forms alone.');
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = toLoggedError(thrown, request);
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
      const text = drawError(languageOf(request.headers['accept-language']), errorOf(error), await loadAssets());
      return reply.code(error.status).type('text/html; charset=utf-8').send(text);
    });
    registerPages(scope, dependencies);
  });
}

function registerPages(scope: FastifyInstance, dependencies: HostedPageDependencies): void {
  const { guarded } = scope.http.guard;
  const open = openerOf(dependencies);
  const config = { isPage: true } as const;
  scope.get<Asked>('/pay/:token', { config }, async (request, reply) => {
    const linked = await guarded(open(request), 'read');
    const language = languageOf(request.headers['accept-language']);
    const shown = { ...linked, language, path: pathOf(request), notice: readNotice(request.query) };
    const page = await guarded(readPage(dependencies, shown), 'read');
    if (page.waiting === 'charge') reply.header('refresh', LOOK_AGAIN_S);
    if (page.fields.kind === 'stripe') reply.header('content-security-policy', POLICY_WITH_STRIPE);
    return reply.type('text/html; charset=utf-8').send(drawPage(page, await loadAssets()));
  });
  scope.get<Asked>('/pay/:token/pdf', { config }, async (request, reply) => {
    const { companyId, invoiceId } = await guarded(open(request), 'read');
    const file = await dependencies.drawInvoice(companyId, invoiceId);
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="invoice.pdf"')
      .send(Buffer.from(file));
  });
  scope.post<Sent>('/pay/:token', { config }, async (request, reply) => {
    const linked = await guarded(open(request), 'read');
    const form = request.body ?? new URLSearchParams();
    const notice = await guarded(payAsAsked(dependencies, linked, form, request), 'write');
    return reply.redirect(pathOf(request) + (notice === null ? '' : writeNotice(notice)), 303);
  });
  scope.post<Sent>('/pay/:token/confirm', { config }, async (request, reply) => {
    const linked = await guarded(open(request), 'read');
    const form = request.body ?? new URLSearchParams();
    const notice = await guarded(confirmAsAsked(dependencies, linked, form), 'write');
    return reply.redirect(pathOf(request) + (notice === null ? '' : writeNotice(notice)), 303);
  });
}

/** Finds the invoice of the link, and counts links that open nothing. */
function openerOf({ db, keyring }: HostedPageDependencies) {
  const unknown = createUnknownLinks();
  return async (request: FastifyRequest<Asked>): Promise<Linked> => {
    const linked = await findLinked(db, { keyring }, request.params.token);
    if (linked !== null) return linked;
    const waitSeconds = unknown.count(clientNetwork(request.ip));
    if (waitSeconds === null) throw new ApiError('not_found', 'No such link.');
    throw new ApiError('rate_limited', 'Too many unknown links.', { retryAfterSeconds: waitSeconds });
  };
}

/**
 * Refuses the form of another page. With `Referrer-Policy: no-referrer` a browser sends `Origin: null` for a form of this page, and says in
 * `Sec-Fetch-Site` that it is ours (Fetch, 3.2 and Fetch Metadata, 2.4).
 * @throws ApiError origin_not_allowed
 */
function refuseOtherPages({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOurs = site === undefined || site === 'same-origin' || site === 'none';
  const isOfOurs =
    origin === undefined || origin === new URL(publicUrl).origin || (origin === 'null' && site === 'same-origin');
  if (isOurs && isOfOurs) return;
  throw new ApiError('origin_not_allowed', 'Only the page of the invoice sends this form.');
}

/** The address of the invoice's page. */
function pathOf({ params: { token } }: FastifyRequest<Asked>): string {
  return `/pay/${token}`;
}

function errorOf({ status, code }: ApiError): Parameters<typeof drawError>[1] {
  if (status === 404) return 'unknown';
  if (status === 429) return 'tooMany';
  if (code === 'origin_not_allowed') return 'refused';
  return status >= 500 ? 'unavailable' : 'broken';
}

function serveAssets(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}/:name`, async ({ params: { name } }, reply) => {
    const asset = (await loadAssets()).find(name);
    if (asset === undefined) throw new ApiError('not_found', 'There is no such file.');
    return reply
      .type(asset.type)
      .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
      .header('cross-origin-resource-policy', 'same-origin')
      .send(asset.content);
  });
}
