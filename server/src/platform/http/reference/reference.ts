import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageJson from '../../../../../package.json' with { type: 'json' };
import { notFound } from '../../errors.ts';
import type { WebhookCatalogue } from '../openapi/openapi-webhooks.ts';
import type { Operation } from '../route/operation.ts';
import { namedObject } from '../schema/named.ts';
import { Type } from '../schema/type.ts';
import type { ApiDocument } from './document.ts';
import type { Guide, GuideGroup } from './guides.ts';
import type { Page } from './page.ts';

const OPENAPI = {
  method: 'GET',
  url: '/openapi.json',
  operationId: 'getOpenApiDocument',
  tag: 'Operations',
  summary: 'Read the OpenAPI document',
  description: 'OpenAPI 3.1. The document is generated from the schemas that the service validates requests with.',
  access: 'public',
  response: {
    200: namedObject('OpenApiDocument', {}, { additionalProperties: true, examples: [{ openapi: '3.1.0' }] }),
    304: null,
  },
  errors: [],
} as const satisfies Operation;

const DOCS = {
  ...OPENAPI,
  url: '/docs',
  operationId: 'getReferencePage',
  summary: 'Open the reference page',
  description: 'The OpenAPI document as a web page. The page loads nothing from other sites.',
  response: { 200: Type.String({ 'x-media-type': 'text/html' }), 304: null },
} as const satisfies Operation;

/** Something to read that stays the same as long as the process lives. */
type Asset = { headers: Record<string, string>; plain: Buffer; zipped: Buffer };

/** The API reference: the OpenAPI document, a page that shows it, and the guides. Each is made when it is first asked for. */
export function registerReferenceRoutes(app: FastifyInstance, { webhooks }: { webhooks: WebhookCatalogue }): void {
  const { operations } = app.http;
  operations.push(OPENAPI, DOCS);
  const made = new Map<string, Promise<Asset>>();
  const readOnce = (path: string, make: () => Promise<Asset>) => {
    const asset = made.get(path) ?? make();
    made.set(path, asset);
    return asset;
  };
  let groups: Promise<GuideGroup[]> | undefined;
  const readGroups = () => {
    groups ??= import('./guides.ts').then(({ readGuides }) => readGuides());
    return groups;
  };
  app.get(OPENAPI.url, async (request, reply) => {
    const make = async () => toAsset(await openApiText(operations, webhooks), 'application/json; charset=utf-8');
    return send(request, reply, await readOnce(OPENAPI.url, make));
  });
  app.get(DOCS.url, async (request, reply) => {
    const make = async () => createReference(await openApiText(operations, webhooks), await readGroups());
    return send(request, reply, await readOnce(DOCS.url, make));
  });
  app.get<{ Params: { name: string } }>('/docs/guides/:name', async (request, reply) => {
    const all = await readGroups();
    const asked = all.flatMap(({ guides }) => guides).find(({ name }) => name === request.params.name);
    if (asked === undefined) throw notFound('guide');
    return send(request, reply, await readOnce(`/docs/guides/${asked.name}`, () => createGuide(asked, all)));
  });
}

/** The OpenAPI document of these operations, and of what is sent out. */
async function openApiText(operations: readonly Operation[], webhooks: WebhookCatalogue): Promise<string> {
  const [{ describeApi }, { layOut }] = await Promise.all([
    import('../openapi/openapi.ts'),
    import('../openapi/lay-out.ts'),
  ]);
  return `${layOut(describeApi(operations, webhooks, packageJson.version))}\n`;
}

async function createReference(openApi: string, groups: readonly GuideGroup[]): Promise<Asset> {
  const { renderReferencePage } = await import('./page.ts');
  return toPageAsset(renderReferencePage(JSON.parse(openApi) as ApiDocument, groups));
}

async function createGuide(guide: Guide, groups: readonly GuideGroup[]): Promise<Asset> {
  const { renderGuidePage } = await import('./page.ts');
  return toPageAsset(renderGuidePage(guide, groups));
}

function toPageAsset({ text, contentSecurityPolicy }: Page): Asset {
  return toAsset(text, 'text/html; charset=utf-8', { 'content-security-policy': contentSecurityPolicy });
}

function toAsset(text: string, type: string, headers: Record<string, string> = {}): Asset {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url');
  return {
    // Browsers keep it and ask each time whether it changed: it does with the version, and then at once.
    headers: {
      ...headers,
      'content-type': type,
      'cache-control': 'no-cache',
      etag: `W/"${hash}"`,
      vary: 'accept-encoding',
    },
    plain,
    zipped: gzipSync(plain),
  };
}

function send(request: FastifyRequest, reply: FastifyReply, { headers, plain, zipped }: Asset): FastifyReply {
  reply.headers(headers);
  if (request.headers['if-none-match']?.includes(headers.etag ?? '')) return reply.code(304).send();
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$|\s))/.test(request.headers['accept-encoding'] ?? ''))
    return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(zipped);
}
