import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Paydesk } from '@paydesk/client';
import type { BrowserContext, Page } from 'playwright-core';
import { it } from 'vitest';
import { useBrowser } from '../browser/connection.ts';
import { type Company, type Person, signUpCompany } from '../service/company.ts';
import { type SharedService, useService } from '../service/service.ts';
import { type Watch, watch } from './watch.ts';

/** What a story has to work with; nothing of it is shared with another story but the service and its operator. */
export type Story = {
  page: Page;
  context: BrowserContext;
  /** Goes to a path of the service, such as `/app/invoices`. */
  open: (path: string) => Promise<void>;
  /** Logs in by the API, so that the next page that is opened has the session; `admin` of the company by default. */
  logIn: (person?: Person) => Promise<void>;
  /** Opens the console with an operator's key, by default the first, in the same way. */
  logInToConsole: (key?: string) => Promise<void>;
  /** A new company, or the one of the options. */
  company: Company;
  /** Calls the API with the operator's key. */
  operator: Paydesk['operator'];
  service: SharedService;
  watch: Watch;
};

/** Failures leave a picture and a trace there (`npx playwright-core show-trace trace.zip`). */
const FAILURES = join(import.meta.dirname, '../../../reports/failures');

type StoryOptions = {
  makeCompany?: () => Promise<Company>;
  /** Of another service than that of the run. */
  url?: () => string;
};

/**
 * A test that is told as a story in a browser of its own. Besides what it expects, it fails when the browser objects to anything
 * (`watch.ts`).
 */
export function story(
  name: string,
  tell: (story: Story) => Promise<void>,
  { makeCompany = signUpCompany, url: urlOf = () => useService().url }: StoryOptions = {},
): void {
  it(name, async ({ task }) => {
    const url = urlOf();
    const context = await openContext(url);
    const [page, company] = await Promise.all([context.newPage(), makeCompany()]);
    const service = useService();
    const watching = await watch(context, url);
    const told: Story = {
      page,
      context,
      company,
      operator: service.operator,
      service,
      watch: watching,
      open: async (path) => void (await page.goto(path)),
      logIn: (person = company.admin) => logIn(context, url, person),
      logInToConsole: (key = service.operatorKey) => logInToConsole(context, url, key),
    };
    try {
      await tell(told);
      await watching.check();
    } catch (error) {
      await keepEvidence(context, `${task.file.name} ${name}`);
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** A browser as a person has one: nothing stored, a size, a language and a time zone. */
async function openContext(baseURL: string): Promise<BrowserContext> {
  const browser = await useBrowser();
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Far enough from UTC that a wrong zone shows.
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  await context.tracing.start({ snapshots: true });
  return context;
}

/** Gets the session's cookie as the login page does, without its form. */
async function logIn(context: BrowserContext, url: string, { email, password }: Person): Promise<void> {
  const answer = await context.request.post('/auth/local?session=cookie', {
    data: { email, password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`The login was refused: ${answer.status()} ${await answer.text()}`);
}

async function logInToConsole(context: BrowserContext, url: string, key: string): Promise<void> {
  const answer = await context.request.post('/auth/operator?session=console', {
    data: { key },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`The key was refused: ${answer.status()} ${await answer.text()}`);
  // The pages ask only for the sessions that they have opened in this browser.
  await context.addInitScript(() => {
    // The frame of a mail has no storage.
    if (self === top) localStorage.setItem('paydesk.session-kinds', 'console');
  });
}

async function keepEvidence(context: BrowserContext, name: string): Promise<void> {
  const folder = join(FAILURES, name.replaceAll(/[^\w.]+/g, '-').slice(0, 120));
  await mkdir(folder, { recursive: true });
  await context.tracing.stop({ path: join(folder, 'trace.zip') });
  for (const [index, page] of context.pages().entries()) {
    await page.screenshot({ path: join(folder, `page-${index + 1}.png`), fullPage: true }).catch(() => undefined);
  }
}
