/**
 * The set-up of the fault matrix: a database, a gateway in a separate process, API processes, and a record of what
 * their clients received.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestFolder } from '../../src/gateways/sandbox/sandbox.testing.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { connectAsOwner } from '../../src/platform/database/pool.ts';
import { invoiceBody, PASSWORD } from '../customers/actors.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import { recordTransitions } from '../invariants/invariants.books.ts';
import { findViolations } from '../invariants/invariants.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { findForgotten, type Memory } from './forgotten.ts';
import { SANDBOX } from './gateways/sandbox.ts';
import { type ChaosGateway, isDebit, type SourceAnswer } from './gateways/stand-ins.ts';
import { type ApiOptions, type ApiProcess, findEmbedded, type Seen, startApi } from './processes.ts';
import type { Restorable } from './restore/databases.ts';
import { openSteps, type Steps } from './steps.ts';
import { type Ear, listen } from './webhooks.ts';

/** I8: while the gateway works, every payment has ended by then. */
export const RECOVERY_MS = 60_000;
const POLL_MS = 50;
/**
 * How many of the clients' answers are kept for repeated checks. In a long run, checking all of them would take all the
 * time.
 */
const LONGEST_MEMORY = 300;
/** How often payments are made due early. */
const PULL_MS = 2_000;

/** Two connections to the same database: `second` can hold locks while `owner` reads. */
export type Handles = { owner: Db; second: Db };

type Base = Handles & Memory;

export type World = Base & {
  adapter: ChaosGateway;
  /** The gateway's running stand-in. */
  gateway: StandIn;
  /** The permanent processes. Cells start others and kill those. */
  apis: ApiProcess[];
  operatorKey: string;
  /** Starts one more process; `environment` has what differs from the others. */
  startApi: (options?: Partial<ApiOptions>) => Promise<ApiProcess>;
  /** The processes' journal. */
  journalDirectory: string;
  /** Kills the gateway, and starts it again on the same port with the same ledger. */
  restartGateway: () => Promise<void>;
  /** How the database goes back in time. */ restorable: Restorable | null;
  /** The steps that the API processes take. */
  steps: Steps;
  /** A webhook consumer that receives the events of every invoice, payment and refund. */
  ear: Ear;
  stop: () => Promise<void>;
};

export type WorldOptions = {
  /** The sandbox by default. */
  adapter?: ChaosGateway;
  apis: number;
  /** The database that the API processes share. Without it, the only process starts an embedded server. */
  databaseUrl?: string;
  restorable?: Restorable;
  /** Whether its processes notice that the database goes back. By default what the charge does by itself has to be enough. */
  notices?: boolean;
  /** What differs from the usual environment of its processes. */
  environment?: Record<string, string>;
};

/** Opens a world. The caller keeps a database that it passed; everything else ends with the world. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { adapter = SANDBOX, restorable = null, databaseUrl = restorable?.url } = options;
  const undo = new AsyncDisposableStack();
  const stop = () => undo.disposeAsync();
  try {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-chaos-'));
    undo.defer(() => rm(dataDirectory, { recursive: true, force: true }));
    // Runs that move a journal or keep a copy of it do so beside it.
    const journals = `${dataDirectory}.journals`;
    undo.defer(() => rm(journals, { recursive: true, force: true }));
    const journalDirectory = join(journals, 'kept');
    const steps = openSteps(`${dataDirectory}.steps`, adapter.name);
    undo.defer(steps.remove);
    const folder = createTestFolder();
    undo.defer(folder.remove);
    const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
    const spawn = async (port?: number): Promise<StandIn> => {
      const started = await adapter.spawn(folder, port);
      freePort(started.port);
      const stopAndKeep = async (signal: NodeJS.Signals) => {
        await started.stop(signal);
        await keepPort(started.port);
      };
      return { ...started, stop: stopAndKeep };
    };
    let gateway = await spawn();
    undo.defer(async () => {
      await gateway.stop('SIGKILL');
      freePort(gateway.port);
    });
    const ear = await listen();
    undo.defer(ear.stop);
    const environment = {
      ...{
        DATABASE_POOL_SIZE: '5',
        DATA_DIR: dataDirectory,
        JOURNAL_DIR: journalDirectory,
        OPERATOR_KEY: operatorKey,
        WEBHOOK_ALLOWED_HOSTS: ear.host,
        STEPS_FILE: steps.file,
      },
      // Tokens are valid for a month, so that a process whose clock is a day off still accepts them.
      ACCESS_TOKEN_LIFETIME_SECONDS: '2592000',
      ...adapter.environmentOf(gateway),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(restorable === null || options.notices ? {} : { MARKS_CHECK: 'off' }),
      ...options.environment,
    };
    const start = async (given: Partial<ApiOptions> = {}) => {
      const started = await startApi({ ...given, environment: { ...environment, ...given.environment } });
      undo.defer(() => started.stop());
      return started;
    };
    const first = await start();
    const place = databaseUrl ?? (await findEmbedded(first, dataDirectory));
    const [owner, second] = [connectAsOwner(place), connectAsOwner(place)];
    for (const pool of [owner, second]) undo.defer(() => pool.end({ timeout: 1 }));
    await recordTransitions(owner);
    await owner`UPDATE seller SET name = 'Northwind Interfaces Ltd'`;
    await ear.subscribe(first, operatorKey);
    const others = await Promise.all(Array.from({ length: options.apis - 1 }, () => start()));
    const world: World = {
      ...{
        ...{ owner, second, adapter, gateway, operatorKey, ear, stop, restorable, steps, journalDirectory },
        apis: [first, ...others],
        startApi: start,
      },
      ...{ seen: [], seenRefunds: [], created: [] },
      restartGateway: async () => {
        await gateway.stop('SIGKILL');
        world.gateway = gateway = await spawn(gateway.port);
      },
    };
    return world;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns one of the world's permanent processes. */
export function api(world: World, index = 0): ApiProcess {
  return world.apis[index] ?? raise('There is no such API process.');
}

/** Returns the second process if there are two, otherwise the first. */
export function otherApi(world: World): ApiProcess {
  return world.apis.at(-1) ?? raise('There is no API process.');
}

export type Charge = { token: string; companyId: string; invoiceId: string };

/**
 * Creates a company with a source that pays, a credit of 20.00 USD and an invoice of 48.00 USD; both are in EUR for a debit.
 * @param begin - how it is created
 */
export async function prepareCharge(world: World, answer: SourceAnswer = 'pays', begin = signUp): Promise<Charge> {
  const { token, companyId } = await begin(world);
  await addSource(world, token, answer);
  const currency = isDebit(answer) ? 'EUR' : 'USD';
  await collectByHand(world, companyId, currency);
  await grantCredit(world, companyId, currency);
  return prepareInvoice(world, { token, companyId }, currency);
}

/** Creates a company. */
export async function signUp(world: World): Promise<Omit<Charge, 'invoiceId'>> {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@example.com`, password: PASSWORD };
  const { data } = created(await api(world).send('POST', '/auth/signup/admin', { body }));
  return { token: data.access_token, companyId: data.user.company.id };
}

/** Gives a company a source, which is charged from then on. */
export async function addSource(world: World, token: string, answer: SourceAnswer): Promise<void> {
  await world.adapter.addSource((path, body) => create(world, token, path, body), answer, world.gateway);
}

/** Creates one more invoice of the company. */
export async function prepareInvoice(
  world: World,
  company: Omit<Charge, 'invoiceId'>,
  currency: 'USD' | 'EUR' = 'USD',
): Promise<Charge> {
  const invoice = await create(world, world.operatorKey, 'invoices', {
    ...invoiceBody(company.companyId),
    ...(currency === 'EUR' ? { details: [{ title: 'Support', currency, amount: '48.00' }] } : {}),
    ...world.adapter.invoiceChanges,
  });
  return { ...company, invoiceId: invoice.id };
}

/** Turns the automatic collection off: the test must decide which process pays. */
async function collectByHand(world: World, companyId: string, currency: 'USD' | 'EUR'): Promise<void> {
  const path = `/operator/companies/${companyId}/billing-settings`;
  const body = { collection: 'manual', currency };
  const { status } = await api(world).send('PUT', path, { token: world.operatorKey, body });
  if (status !== 200) raise(`the billing settings were answered with ${status}`);
}

async function grantCredit(world: World, companyId: string, currency: 'USD' | 'EUR'): Promise<void> {
  const body = { amount: '20.00', currency, reason: 'To be lost and found' };
  created(
    await api(world).send('POST', `/operator/companies/${companyId}/credits`, { token: world.operatorKey, body }),
  );
}

/** Creates something through the API. The last part of the path is also the name of its table. */
async function create(
  world: World,
  token: string,
  part: string,
  body: object,
): Promise<{ id: string; clientSecret?: string }> {
  const path = part === 'invoices' ? '/operator/invoices' : `/payments/${part}`;
  const { id, clientSecret } = created(await api(world).send('POST', path, { token, body }));
  world.created.push({ table: part.replaceAll('-', '_'), id });
  return { id, clientSecret };
}

function created(answer: Seen) {
  return answer.status === 201 ? answer.body : raise(`expected 201: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Pays through a process. The answers are compared with the database later. */
export async function pay(world: World, by: ApiProcess, { token, invoiceId }: Charge): Promise<Seen> {
  const answer = await by.send('PUT', `/payments/orders/${invoiceId}/pay`, { token });
  world.seen.push({ invoiceId, answer });
  return answer;
}

export type PaymentSeen = { id: string; state: string; gatewayPaymentId: string | null; declineCode: string | null };

/** Returns the charge's payments in the database, the oldest first. */
export async function paymentsOf({ owner }: World, { invoiceId }: Charge): Promise<PaymentSeen[]> {
  return owner<PaymentSeen[]>`
    SELECT id, state, gateway_payment_id AS "gatewayPaymentId", decline_code AS "declineCode" FROM payments
    WHERE invoice_id = ${invoiceId} ORDER BY created_at, id`;
}

/**
 * Limits the count of checks: after the last one, which is normally ten hours later, the payment would go to review.
 */
const MAX_CHECKS = 4;

/** Makes every payment of the charge due now. */
export async function makeDue({ owner }: World, { invoiceId }: Charge): Promise<void> {
  await owner`
    UPDATE payments SET reconcile_at = now(), reconcile_count = least(reconcile_count, ${MAX_CHECKS})
    WHERE invoice_id = ${invoiceId} AND reconcile_at IS NOT NULL`;
}

/** Waits until every payment of the charge has ended, and repeatedly makes them due. */
export async function recover(world: World, charge: Charge): Promise<void> {
  const deadlineMs = performance.now() + RECOVERY_MS;
  for (let nextPullMs = 0; ; ) {
    const payments = await paymentsOf(world, charge);
    if (!payments.some(({ state }) => ['created', 'sending', 'unknown'].includes(state))) return;
    const nowMs = performance.now();
    if (nowMs > deadlineMs) {
      const { body } = await api(world).send('GET', '/readyz');
      raise(`I8 not at rest after a minute: ${JSON.stringify(payments)}; the service says ${JSON.stringify(body)}`);
    }
    if (nowMs > nextPullMs) {
      await makeDue(world, charge);
      nextPullMs = nowMs + PULL_MS;
    }
    await sleep(POLL_MS);
  }
}

/** Waits until `check` returns true. */
export async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + RECOVERY_MS;
  while (!(await check())) {
    if (performance.now() > deadlineMs) raise(`waited in vain until ${what}`);
    await sleep(POLL_MS);
  }
}

/**
 * Checks both books, and that every 2xx that clients received is in the database with the payment that it named (I11).
 */
export async function expectSound(world: World): Promise<void> {
  await world.gateway.control.clearFaults();
  const violations = [
    ...(await findViolations(world.owner, await world.gateway.control.readLedger())),
    ...(await findForgotten(world)),
    ...world.steps.findDeviations(),
  ];
  if (violations.length > 0) raise(violations.join('\n'));
  for (const memory of [world.seen, world.seenRefunds, world.created]) memory.splice(0, memory.length - LONGEST_MEMORY);
}

/** Throws an error with this message. */
export function raise(message: string): never {
  throw new Error(message);
}
