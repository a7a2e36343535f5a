import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Shows the HTML that the page around the frame sends, and tells it the height in pixels; 0 says that the frame can take one. No other
 * script runs.
 */
const SCRIPT = `
const tellHeight = () => parent.postMessage(document.body.offsetHeight, '*');
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const mail = new DOMParser().parseFromString(data, 'text/html');
  for (const link of mail.links) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
  document.documentElement.replaceWith(document.adoptNode(mail.documentElement));
  new ResizeObserver(tellHeight).observe(document.body);
});
addEventListener('DOMContentLoaded', () => parent.postMessage(0, '*'));
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mail</title><script>${SCRIPT}</script></head><body></body></html>
`;

/**
 * A mail has its styles in its elements, which the policy of the pages refuses. So it is shown in a frame of its own origin, which has
 * nothing of the session, loads nothing, and runs no script of a mail (W3C, Content Security Policy Level 3, `sandbox`).
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** Serves the empty frame in which the console shows the HTML of a mail. */
export function registerMailFrame(server: FastifyInstance): void {
  server.get('/console/mail-frame', { config: { isPage: true } }, (_request, reply) =>
    reply.headers(HEADERS).send(PAGE),
  );
}
