import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../../errors.ts';
import { type CardEntry, contentSecurityPolicy } from './content-security-policy.ts';
import { registerMailFrame } from './mail-frame.ts';

/** Where `tools/dashboard.mjs` puts the built pages. */
const BUILT = join(import.meta.dirname, '../../../../../dashboard/dist');

/** The address of each app, and its page. */
const APPS = { '/app': 'app.html', '/console': 'console.html' } as const;

const YEAR_S = 31_536_000;

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
} as const;

export type DashboardOptions = {
  /** What the pages know about the service from their first moment, in words that need no escape. */
  facts: {
    /** The names of the gateways for cards and PayPal accounts. */
    gateways: readonly string[];
    /** Whether real money moves. */
    isReal: boolean;
    /** How a card is saved. */
    cards: CardEntry;
  };
  /** Where the built pages are; by default where the start puts them. */
  folder?: string;
};

/**
 * Serves the two apps of the dashboard from `folder`: each address below /app or /console is the app's page, which reads the address
 * itself, and /app/assets has what they load. None of it is an operation of the API.
 */
export function registerDashboard(server: FastifyInstance, { facts, folder = BUILT }: DashboardOptions): void {
  serveAssets(server, join(folder, 'assets'));
  registerMailFrame(server);
  for (const [address, file] of Object.entries(APPS)) {
    // Only a company's people save cards.
    const policy = contentSecurityPolicy(address === '/app' ? facts.cards : 'none');
    const headers = { ...PAGE_HEADERS, 'content-security-policy': policy };
    const sendPage = (_request: unknown, reply: FastifyReply) =>
      readPage(join(folder, file)).then((text) => reply.headers(headers).send(withFacts(text, facts)));
    for (const url of [address, `${address}/*`]) server.get(url, { config: { isPage: true } }, sendPage);
  }
}

/** The name of an asset contains the hash of its content, and no folder. */
function serveAssets(server: FastifyInstance, root: string): void {
  server.register(fastifyStatic, {
    root,
    serve: false,
    // What is not built is answered below, and no warning for each process that has no pages, such as those of tests.
    suppressWarning: true,
    preCompressed: true,
    maxAge: YEAR_S * 1_000,
    immutable: true,
  });
  server.get<{ Params: { '*': string } }>('/app/assets/*', ({ params: { '*': name } }, reply) => {
    if (/^\w[\w.-]*$/.test(name)) reply.sendFile(name);
    else reply.callNotFound();
    return reply;
  });
}

/** Puts the facts into the head of a page. */
function withFacts(page: string, { gateways, isReal, cards }: DashboardOptions['facts']): string {
  const content = [isReal ? 'real' : 'sandbox', ...gateways].join(' ');
  const facts = [
    `<meta name="paydesk-gateways" content="${content}" />`,
    `<meta name="paydesk-cards" content="${cards}" />`,
  ];
  return page.replace('</head>', `  ${facts.join('\n    ')}\n  </head>`);
}

/** Reads the page each time: it is small, and a build that replaces it takes effect at once. */
async function readPage(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ApiError(
      'not_found',
      'The dashboard is not built. `npm start` builds it; `node tools/dashboard.mjs` does only that.',
    );
  }
}
