/** The set-up in which usage becomes invoices: a database, API processes, companies, prices, and a clock that the test controls. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestFolder, spawnGateway, testSecret } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { type KnownPrice, type PlainPrice, toRatedPrice } from '../../../src/metering/prices/prices.test-model.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { connectAsOwner } from '../../../src/platform/database/pool.ts';
import { PASSWORD } from '../../customers/actors.ts';
import { pick, type Random } from '../chaos.ts';
import { type ApiProcess, type Seen, startApi } from '../processes.ts';
import { raise } from '../world.ts';
import { type BilledCompany, recordCutoffs } from './books.ts';

/** `login` is the database user of this process. */
export type Slot = { login: string; api: ApiProcess };

export type BillingWorld = {
  owner: Db;
  /** A second connection, which observes the locks. */
  watcher: Db;
  operatorKey: string;
  slots: Slot[];
  companies: BilledCompany[];
  prices: KnownPrice[];
  /** Returns the current time of the processes. */
  nowMs: () => number;
  setNow: (nowMs: number) => Promise<void>;
  /** Starts a new process in place of one that has ended. */
  startAgain: (slot: Slot) => Promise<void>;
  /** Lets waiting functions give up. @throws Error when the world has ended or a process did not start */
  requireRunning: () => void;
  stop: () => Promise<void>;
};

const COMPANIES: Omit<BilledCompany, 'companyId'>[] = [
  { currency: 'USD', timezone: 'UTC', taxRate: '0', lateUsage: { kind: 'next_invoice' } },
  { currency: 'USD', timezone: 'America/New_York', taxRate: '7.7', lateUsage: { kind: 'ignore' } },
  { currency: 'USD', timezone: 'Europe/Berlin', taxRate: '19', lateUsage: { kind: 'refuse', days: 40 } },
  { currency: 'JPY', timezone: 'Asia/Tokyo', taxRate: '10', lateUsage: { kind: 'next_invoice' } },
  { currency: 'KWD', timezone: 'Asia/Kathmandu', taxRate: '33.333', lateUsage: { kind: 'next_invoice' } },
  { currency: 'JPY', timezone: 'Australia/Lord_Howe', taxRate: '0.5', lateUsage: { kind: 'ignore' } },
  { currency: 'USD', timezone: 'Pacific/Kiritimati', taxRate: '100', lateUsage: { kind: 'next_invoice' } },
  { currency: 'KWD', timezone: 'America/Havana', taxRate: '5', lateUsage: { kind: 'refuse', days: 10 } },
];

/** With these prices, more usage never costs less, so that no bill is below zero. `/free` has no price. */
const RATES: { path: string; pooled?: boolean; plain: PlainPrice }[] = [
  {
    path: '/v1/speech',
    plain: {
      rates: {
        model: 'graduated',
        tiers: [
          { upTo: 100, unitAmount: '0.05', flatAmount: '1.00' },
          { upTo: null, unitAmount: '0.02' },
        ],
      },
      freeRequests: 20,
    },
  },
  {
    path: '/v1/*',
    pooled: true,
    plain: { rates: { model: 'package', packageAmount: '0.25', packageSize: 7 }, freeRequests: 3 },
  },
  { path: '/v2/*', plain: { rates: { model: 'flat', unitAmount: '0.333333333333' }, freeRequests: 0 } },
  {
    path: '/v3/files',
    plain: {
      rates: {
        model: 'volume',
        tiers: [
          { upTo: 50, unitAmount: '0.005' },
          { upTo: null, unitAmount: '0.005', flatAmount: '2.5' },
        ],
      },
      freeRequests: 0,
    },
  },
];
export const PATHS = ['/v1/speech', '/v1/text', '/v1/images', '/v2/calls', '/v3/files', '/free'];

/** Opens a world in which the time is `startMs`. The caller keeps the database; everything else ends with the world. */
export async function openBillingWorld(
  random: Random,
  { databaseUrl, processes, startMs }: { databaseUrl: string; processes: number; startMs: number },
): Promise<BillingWorld> {
  const undo = new AsyncDisposableStack();
  let failure: unknown = null;
  const stop = async () => {
    failure ??= new Error('The world has ended.');
    await undo.disposeAsync();
  };
  try {
    const [owner, watcher] = [connectAsOwner(databaseUrl), connectAsOwner(databaseUrl)];
    for (const pool of [owner, watcher]) undo.defer(() => pool.end({ timeout: 1 }));
    await migrate(owner);
    await recordCutoffs(owner);
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-chaos-'));
    undo.defer(() => rm(folder, { recursive: true, force: true }));
    const gateway = await openGateway(undo);
    const clock = await createClock(join(folder, 'clock'), startMs);
    const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
    const start = async (login: string): Promise<ApiProcess> => {
      const environment = {
        ...{
          DATABASE_URL: urlOf(databaseUrl, login),
          DATA_DIR: join(folder, login),
          KEYS_FILE: join(folder, 'keys.json'),
          OPERATOR_KEY: operatorKey,
        },
        ...{ DATABASE_POOL_SIZE: '4', SANDBOX_GATEWAY_URL: gateway.url, SANDBOX_GATEWAY_SECRET: testSecret },
      };
      const api = await startApi({ environment, clockFile: clock.file });
      undo.defer(() => api.stop());
      return api;
    };
    const logins = await Promise.all(Array.from({ length: processes }, () => createLogin(owner, undo)));
    const slots = await Promise.all(logins.map(async (login) => ({ login, api: await start(login) })));
    const world: BillingWorld = {
      ...{ owner, watcher, operatorKey, slots, companies: [], prices: [], nowMs: clock.nowMs, setNow: clock.set, stop },
      startAgain: async (slot) => {
        await slot.api.ended;
        if (failure !== null) return;
        try {
          slot.api = await start(slot.login);
        } catch (error) {
          failure ??= error;
          throw error;
        }
      },
      requireRunning: () => {
        if (failure !== null) throw failure;
      },
    };
    world.companies = await Promise.all(COMPANIES.map((settings) => createCompany(world, settings)));
    world.prices = await createPrices(world, random);
    return world;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a stand-in, although nothing is paid here: an embedded sandbox would take longer to start. */
async function openGateway(undo: AsyncDisposableStack): Promise<{ url: string }> {
  const folder = createTestFolder();
  undo.defer(folder.remove);
  const gateway = await spawnGateway(folder);
  undo.defer(async () => {
    await gateway.stop('SIGKILL');
  });
  return gateway;
}

/** Creates the clock of the processes. It runs at normal speed from a different time. */
async function createClock(file: string, startMs: number) {
  let offsetMs = 0;
  const set = async (nowMs: number) => {
    const newOffsetMs = Math.round(nowMs - Date.now());
    await writeFile(`${file}.new`, String(newOffsetMs));
    await rename(`${file}.new`, file);
    // The processes read the file every few milliseconds. Wait, so that no event is in the future for one of them.
    await sleep(50);
    offsetMs = newOffsetMs;
  };
  await set(startMs);
  return { file, set, nowMs: () => Date.now() + offsetMs };
}

/** Creates a separate login for each process, so that its connections can be told apart. The service still switches to its own role. */
async function createLogin(owner: Db, undo: AsyncDisposableStack): Promise<string> {
  const login = `chaos_${randomBytes(6).toString('hex')}`;
  await owner.unsafe(`CREATE ROLE ${login} LOGIN SUPERUSER PASSWORD '${login}'`);
  undo.defer(async () => {
    await owner.unsafe(`DROP ROLE ${login}`);
  });
  return login;
}

function urlOf(databaseUrl: string, login: string): string {
  return databaseUrl.replace(/\/\/[^@]+@/, `//${login}:${login}@`);
}

/** Sends a request as the operator to a live process. */
async function ask(world: BillingWorld, method: string, path: string, body?: unknown): Promise<Seen> {
  const slot = world.slots.find(({ api }) => api.isAlive()) ?? raise('There is no API process.');
  return slot.api.send(method, path, { token: world.operatorKey, body });
}

function expectStatus(answer: Seen, status: number): Seen['body'] {
  return answer.status === status ? answer.body : raise(`expected ${status}: ${JSON.stringify(answer)}`);
}

async function createCompany(world: BillingWorld, settings: Omit<BilledCompany, 'companyId'>): Promise<BilledCompany> {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@example.com`, password: PASSWORD };
  const { data } = expectStatus(await ask(world, 'POST', '/auth/signup/admin', body), 201);
  const companyId: string = data.user.company.id;
  expectStatus(await ask(world, 'PUT', `/operator/companies/${companyId}/billing-settings`, settings), 200);
  return { companyId, ...settings };
}

/** Creates general prices in each currency, each with a second version from a random time on, and an override. */
async function createPrices(world: BillingWorld, random: Random): Promise<KnownPrice[]> {
  const prices: KnownPrice[] = [];
  const beginning = new Date(Date.UTC(2000, 0, 1));
  const startMs = world.nowMs();
  for (const currency of ['USD', 'JPY', 'KWD']) {
    for (const [index, rates] of RATES.entries()) {
      const changesAt = new Date(Math.floor(startMs / 3_600_000 + random() * 24 * 90) * 3_600_000);
      const later = { ...pick(random, RATES).plain, freeRequests: index };
      const version = { ...rates, currency, companyId: null };
      prices.push(await createPrice(world, { ...version, effectiveFrom: beginning, effectiveTo: changesAt }));
      prices.push(await createPrice(world, { ...version, plain: later, effectiveFrom: changesAt, effectiveTo: null }));
    }
  }
  const { companyId = '', currency = '' } = world.companies[0] ?? {};
  const plain: PlainPrice = { rates: { model: 'flat', unitAmount: '0.0015' }, freeRequests: 5 };
  const override = { path: '/v1/speech', plain, currency, companyId, effectiveFrom: beginning, effectiveTo: null };
  return [...prices, await createPrice(world, override)];
}

type NewPrice = Pick<KnownPrice, 'path' | 'plain' | 'currency' | 'companyId' | 'effectiveFrom' | 'effectiveTo'> & {
  pooled?: boolean;
};

async function createPrice(world: BillingWorld, { plain, pooled = false, ...price }: NewPrice): Promise<KnownPrice> {
  const { path, currency, companyId, effectiveFrom, effectiveTo } = price;
  const title = `${path} from ${effectiveFrom.toISOString()}`;
  const body = {
    ...{ path, currency, companyId, title, pooled, ...plain.rates, freeRequests: plain.freeRequests },
    ...{ effectiveFrom: effectiveFrom.toISOString(), effectiveTo: effectiveTo?.toISOString() ?? null },
  };
  const { id } = expectStatus(await ask(world, 'POST', '/operator/prices', body), 201);
  return { ...toRatedPrice(plain), ...price, id, title, pooled, plain };
}
