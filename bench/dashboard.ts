import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { launchBrowser } from '../dashboard/test/browser/launch.ts';
import { seedCompanies } from './companies.ts';
import { median, type Row } from './report.ts';
import { type Company, PASSWORD, seedInvoices, seedPayer } from './seed.ts';
import { type Setting, startService } from './setting.ts';
import { ingest } from './usage.ts';

const COMPANIES = 10_000;
/** Traces that the performance panel of Chromium's tools opens. */
const TRACES = join(import.meta.dirname, '../reports/dashboard');
/** After so long without a request a page is quiet. */
const QUIET_MS = 700;

/** What a page may take: kilobytes of compressed script until the largest paint and until it is quiet, and what holds for all. */
const LIMITS = { app: { painted: 200, quiet: 350 }, console: { painted: 400, quiet: 700 } };
const PAINT_MS = 1_000;
const EVENT_MS = 100;
const TYPING_MS = 100;
const SHIFT = 0.02;

type Measured = { paintMs: number; painted: number; quiet: number; shift: number; eventMs: number; typingMs: number };
type Visit = { name: string; path: string; use: (page: Page) => Promise<void> };
type Place = { browser: Browser; url: string; setting: Setting; company: Company };

/**
 * How fast the pages of the dashboard are in Chromium with so many invoices: each one signed in and with an empty cache, as often as there
 * are rounds; then once more for the trace, which is in no figure.
 */
export async function benchDashboard(setting: Setting, invoices: number): Promise<Row[]> {
  build();
  const company = await seed(setting, invoices);
  const port = await findFreePort();
  const environment = { ...setting.environment, PORT: String(port) };
  const service = await startService({ ...setting, environment }, []);
  const server = await launchBrowser();
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const place = { browser, url: `http://localhost:${port}`, setting, company };
    const rows: Row[] = [];
    for (const visit of await visitsOf(setting, company)) rows.push(await measure(place, visit));
    return rows;
  } finally {
    await server.close();
    service.process.kill('SIGTERM');
  }
}

/** As `npm start` does. */
function build(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../tools/dashboard.mjs')]);
  if (status !== 0) throw new Error('The dashboard could not be built.');
}

/** A company with so many invoices, usage and a card, among others. Nothing is charged meanwhile. */
async function seed(setting: Setting, invoices: number): Promise<Company> {
  const company = await seedPayer(setting);
  await seedInvoices(setting, company, invoices);
  await setting.owner`UPDATE collections SET next_attempt_at = now() + interval '30 days' WHERE next_attempt_at IS NOT NULL`;
  await seedCompanies(setting, 1, COMPANIES);
  await ingest(setting, [company.companyId], 10);
  await setting.owner`VACUUM ANALYZE`;
  return company;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The pages, and what a person does there. */
async function visitsOf({ owner }: Setting, { companyId }: Company): Promise<Visit[]> {
  const [open] = await owner<[{ id: string; number: string }]>`
    SELECT id, number FROM invoices WHERE company_id = ${companyId} AND status = 'Processing' ORDER BY id LIMIT 1`;
  const list = (query: string) => async (page: Page) => {
    await turnPages(page);
    await type(page, query);
  };
  const dialog = (name: string | RegExp) => (page: Page) => openDialog(page, name);
  return [
    { name: 'home of a company', path: '/app', use: openPalette },
    { name: 'its invoices', path: '/app/invoices', use: list(open.number) },
    { name: 'an invoice', path: `/app/invoices/${open.id}`, use: dialog(/^Pay /) },
    { name: 'its usage', path: '/app/usage', use: openPalette },
    { name: 'home of the console', path: '/console', use: openPalette },
    { name: 'all companies', path: '/console/companies', use: list('rowan') },
    { name: 'all invoices', path: '/console/invoices', use: list(open.number) },
    { name: 'a company', path: `/console/companies/${companyId}`, use: dialog('Create invoice') },
  ];
}

async function measure(place: Place, visit: Visit): Promise<Row> {
  const measured: Measured[] = [];
  for (let round = 0; round < place.setting.rounds; round += 1) measured.push(await open(place, visit));
  await open(place, visit, join(TRACES, `${visit.name.replaceAll(' ', '-')}.json`));
  const of = (field: keyof Measured) => median(measured.map((one) => one[field]));
  const least = (field: keyof Measured) => Math.min(...measured.map((one) => one[field])).toFixed(0);
  const limits = LIMITS[visit.path.startsWith('/app') ? 'app' : 'console'];
  const figures = [
    {
      text: `largest paint ${of('paintMs').toFixed(0)} ms, fastest ${least('paintMs')}`,
      ratio: of('paintMs') / PAINT_MS,
    },
    { text: `scripts ${of('painted').toFixed(0)}`, ratio: of('painted') / limits.painted },
    { text: `then ${of('quiet').toFixed(0)} kB`, ratio: of('quiet') / limits.quiet },
    { text: `layout shift ${of('shift').toFixed(3)}`, ratio: of('shift') / SHIFT },
    {
      text: `longest event ${of('eventMs').toFixed(0)} ms, fastest ${least('eventMs')}`,
      ratio: of('eventMs') / EVENT_MS,
    },
    { text: `letter to rows ${of('typingMs').toFixed(0)} ms`, ratio: of('typingMs') / TYPING_MS },
  ];
  const worst = Math.max(...figures.map(({ ratio }) => ratio));
  const detail = figures.map(({ text, ratio }) => (ratio > 1 ? `${text} (!)` : text)).join(', ');
  return { name: visit.name, ratio: worst, bound: '≤', limit: 1, detail };
}

/** Opens the page in a browser that knows nothing but the session, waits until it is quiet, and uses it. */
async function open(place: Place, { path, use }: Visit, trace?: string): Promise<Measured> {
  const { browser, url } = place;
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  try {
    await logIn(context, place, path);
    await context.addInitScript({ path: join(import.meta.dirname, 'dashboard.probe.js') });
    const page = await context.newPage();
    if (trace !== undefined) {
      await mkdir(TRACES, { recursive: true });
      await browser.startTracing(page, { path: trace });
    }
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await becomesQuiet(page);
    const loaded = await page.evaluate<Omit<Measured, 'eventMs' | 'typingMs'>>(`({
      paintMs: paydeskProbe.paintedAt, painted: paydeskProbe.scripts(paydeskProbe.paintedAt),
      quiet: paydeskProbe.scripts(Infinity), shift: 0,
    })`);
    await use(page);
    const used = await page.evaluate<Pick<Measured, 'eventMs' | 'typingMs' | 'shift'>>(`({
      eventMs: paydeskProbe.longest, typingMs: paydeskProbe.typedAt === 0 ? 0 : paydeskProbe.typing() ?? 0,
      shift: paydeskProbe.shift,
    })`);
    if (trace !== undefined) await browser.stopTracing();
    return { ...loaded, ...used };
  } finally {
    await context.close();
  }
}

async function logIn(context: BrowserContext, { url, setting, company }: Place, path: string): Promise<void> {
  const isConsole = path.startsWith('/console');
  const data = isConsole ? { key: setting.operatorKey } : { email: company.email, password: PASSWORD };
  const to = isConsole ? '/auth/operator?session=console' : '/auth/local?session=cookie';
  const answer = await context.request.post(to, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`The login was refused: ${answer.status()} ${await answer.text()}`);
  // The pages ask only for the sessions that they have opened in this browser.
  if (isConsole) await context.addInitScript("localStorage.setItem('paydesk.session-kinds', 'console')");
}

/** Until no request has been open for a while. */
async function becomesQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await setTimeout(QUIET_MS);
}

async function openDialog(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
  await setTimeout(QUIET_MS);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await setTimeout(QUIET_MS);
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('inv', { delay: 80 });
  await setTimeout(QUIET_MS);
  await page.keyboard.press('Escape');
  await setTimeout(QUIET_MS);
}

/** To the next page of a list, to one of its records, and back. */
async function turnPages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  await setTimeout(QUIET_MS);
  await page.locator('tbody a').last().click();
  await page.waitForURL((url) => !url.search.includes('page=2'));
  await setTimeout(QUIET_MS);
  await page.goBack();
  await page.waitForURL(/page=2/);
  await setTimeout(QUIET_MS);
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text, { delay: 80 });
  await setTimeout(QUIET_MS);
}
