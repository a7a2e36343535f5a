import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** What a page must not do: what the browser has objected to, and requests to other hosts. */
export type Watch = {
  /** Lets pass what matches, because the story makes it happen: what the browser says about a lost connection. */
  allow: (pattern: RegExp) => void;
  /** Throws what was found since the last check. */
  check: () => Promise<void>;
};

/** The browser reports each answer of 400 and more as an error; what the API refuses is an answer like others. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d /;

/** Watches all pages of a context: violations of the Content-Security-Policy, errors on the console and outside, and foreign requests. */
export async function watch(context: BrowserContext, url: string): Promise<Watch> {
  const findings: string[] = [];
  const allowed: RegExp[] = [];
  const { origin } = new URL(url);
  await context.exposeFunction('reportViolation', (violation: string) => void findings.push(violation));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      const text = `Content-Security-Policy: ${violatedDirective} blocked ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`;
      (window as unknown as { reportViolation: (text: string) => void }).reportViolation(text);
    });
  });
  context.on('console', (message) => {
    if (isError(message, origin)) findings.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => findings.push(`error: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const address = new URL(request.url());
    const isOwn = address.origin === origin || ['data:', 'blob:', 'about:'].includes(address.protocol);
    if (!isOwn) findings.push(`foreign request: ${request.method()} ${request.url()}`);
  });
  return {
    allow: (pattern) => void allowed.push(pattern),
    check: async () => {
      // What a page has reported before this answer has arrived with it.
      await Promise.all(context.pages().map((page) => page.evaluate(() => undefined)));
      const left = new Set(findings.splice(0).filter((text) => !allowed.some((pattern) => pattern.test(text))));
      if (left.size > 0) throw new Error(`The browser objects:\n${[...left].join('\n')}`);
    },
  };
}

function isError(message: ConsoleMessage, origin: string): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  const { url } = message.location();
  const isAnswerOfApi = url.startsWith(origin) && !/^\/(app|console)\b/.test(new URL(url).pathname);
  return !(isAnswerOfApi && REFUSED.test(message.text()));
}
