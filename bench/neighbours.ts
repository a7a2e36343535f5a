import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureLatencies, send } from './load.ts';
import { median, type Row } from './report.ts';
import { bearer, type Company, connectClient, PASSWORD, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const PATHS = ['/labels', '/payments/cards'];
const IDLE_SECONDS = 15;
const LOGINS = 200;
const SIGN_UPS = 287;
const SIGN_UP_SECONDS = 12;
const LOGIN_INTERVAL_MS = 200;
const SLOW_CLIENTS = 1_000;
const LONG_INVOICES = 40;
const LONG_READERS = 12;
const TRIES = 200;
/** One less than lock an account; then its failures are forgotten. */
const TRIES_EACH = 9;

/** What somebody's logins and slow connections cost the others, and what a login tells by its time. */
export async function benchNeighbours(setting: Setting): Promise<Row[]> {
  const reader = await seedCompany(setting);
  const measure = (work: () => Promise<unknown>) => measureLatencies(setting.serviceUrl, bearer(reader), PATHS, work);
  await measure(() => sleep(3_000));
  const idle = await measure(() => sleep(IDLE_SECONDS * 1_000));
  return [
    await compareRefusals(setting, reader),
    await readDuringLogins(setting, reader, measure),
    await logInDuringSignUps(setting, reader),
    await readBesideSlowClients(setting, idle.p95Ms, measure),
    await readBesideLongLists(setting, idle.p95Ms, measure),
  ];
}

type Measure = (work: () => Promise<unknown>) => Promise<{ p50Ms: number; p95Ms: number }>;

async function logIn(
  { serviceUrl }: Setting,
  email: string,
  password: string,
): Promise<{ status: number; tookMs: number }> {
  const beganMs = performance.now();
  const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const { status } = await send(`${serviceUrl}/auth/local`, options, JSON.stringify({ email, password }));
  return { status, tookMs: performance.now() - beganMs };
}

/** Unknown e-mail and wrong password, in turn: the one takes as long as the other, so that nobody learns who has an account. */
async function compareRefusals(setting: Setting, { email }: Company): Promise<Row> {
  const took = { unknown: [] as number[], wrong: [] as number[] };
  for (let round = 0; round < TRIES; round += 1) {
    if (round % TRIES_EACH === 0) await setting.owner`DELETE FROM login_failures`;
    const wrong = await logIn(setting, email, `Not-${PASSWORD}`);
    const unknown = await logIn(setting, `${randomUUID()}@example.com`, PASSWORD);
    if (wrong.status !== 401 || unknown.status !== 401)
      throw new Error(`A login answered ${wrong.status}, ${unknown.status}.`);
    took.wrong.push(wrong.tookMs);
    took.unknown.push(unknown.tookMs);
  }
  const [unknownMs, wrongMs] = [median(took.unknown), median(took.wrong)];
  return {
    name: 'unknown e-mail against wrong password',
    ratio: Math.max(unknownMs / wrongMs, wrongMs / unknownMs),
    bound: '≤',
    limit: 1.05,
    detail: `medians of ${TRIES} tries in turn: ${unknownMs.toFixed(1)} and ${wrongMs.toFixed(1)} ms`,
  };
}

/**
 * One address signs up as many as the service can hash in that time, and another one logs in meanwhile, five times a second. The sign-ups
 * come from another address of loopback, which on other systems than Linux has to be added first.
 */
async function logInDuringSignUps(setting: Setting, { email }: Company): Promise<Row> {
  const idle: number[] = [];
  for (let round = 0; round < 20; round += 1) idle.push((await logIn(setting, email, PASSWORD)).tookMs);
  let isOver = false;
  const signUps = Promise.all(Array.from({ length: SIGN_UPS }, () => signUpFromElsewhere(setting))).finally(() => {
    isOver = true;
  });
  const beside: number[] = [];
  const deadlineMs = performance.now() + SIGN_UP_SECONDS * 1_000;
  while (!isOver && performance.now() < deadlineMs) {
    const { status, tookMs } = await logIn(setting, email, PASSWORD);
    if (status !== 200) throw new Error(`A login answered ${status}.`);
    beside.push(tookMs);
    await sleep(LOGIN_INTERVAL_MS);
  }
  const created = (await signUps).filter((status) => status === 201).length;
  const [idleMs, slowestMs] = [median(idle), Math.max(...beside)];
  return {
    name: `slowest login beside ${SIGN_UPS} sign-ups of another address`,
    ratio: slowestMs / idleMs,
    bound: '≤',
    limit: 15,
    detail: `${slowestMs.toFixed(0)} ms of ${beside.length}; alone ${idleMs.toFixed(0)} ms; ${created} signed up`,
  };
}

async function signUpFromElsewhere({ serviceUrl }: Setting): Promise<number> {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@example.com`, password: PASSWORD };
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', headers, localAddress: '127.0.0.2' };
  return (await send(`${serviceUrl}/auth/signup/customer`, options, JSON.stringify(body))).status;
}

async function readDuringLogins(setting: Setting, { email }: Company, measure: Measure): Promise<Row> {
  const during = await measure(() =>
    Promise.all(Array.from({ length: LOGINS }, () => logIn(setting, email, PASSWORD))),
  );
  return {
    name: `p95 of reads during ${LOGINS} logins at once`,
    ratio: during.p95Ms / 250,
    bound: '≤',
    limit: 1,
    detail: `p50 ${during.p50Ms.toFixed(1)}, p95 ${during.p95Ms.toFixed(1)} ms of 250`,
  };
}

/** Another company asks for all of its longest invoices, again and again: 25 MB each time. */
async function readBesideLongLists(setting: Setting, idleMs: number, measure: Measure): Promise<Row> {
  const { serviceUrl } = setting;
  const { operator } = connectClient(setting);
  const other = await seedCompany(setting);
  const words = () => randomBytes(125).toString('hex').replace(/\d/g, 'x');
  const line = () => ({ title: words(), path: words(), totalRequest: 1, currency: 'USD', amount: '0.01' });
  const period = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' };
  for (let issued = 0; issued < LONG_INVOICES; issued += 1) {
    const body = { companyId: other.companyId, ...period, details: Array.from({ length: 1_000 }, line) };
    await operator.invoices.create(body);
  }
  let bytes = 0;
  const during = await measure(async () => {
    const endsMs = performance.now() + IDLE_SECONDS * 1_000;
    const loop = async () => {
      while (performance.now() < endsMs) {
        const answer = await fetch(`${serviceUrl}/payments/orders?perPage=1000`, { headers: bearer(other) });
        for await (const chunk of answer.body ?? []) bytes += chunk.length;
      }
    };
    await Promise.all(Array.from({ length: LONG_READERS }, loop));
  });
  const megabytes = (bytes / 1_000_000).toFixed(0);
  return {
    name: `p95 of reads beside ${LONG_READERS} loops of long lists`,
    ratio: during.p95Ms / 250,
    bound: '≤',
    limit: 1,
    detail: `p50 ${during.p50Ms.toFixed(1)}, p95 ${during.p95Ms.toFixed(1)} ms of 250; idle ${idleMs.toFixed(1)}; ${megabytes} MB sent`,
  };
}

/** They come within a second, never finish the head of their request, and come again when they are cut off. */
async function readBesideSlowClients(setting: Setting, idleMs: number, measure: Measure): Promise<Row> {
  const { hostname, port } = new URL(setting.serviceUrl);
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = () => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (!isOver) open();
    });
    socket.write('GET /labels HTTP/1.1\r\nHost: ');
  };
  const slow = await measure(async () => {
    for (let number = 0; number < SLOW_CLIENTS; number += 1) {
      open();
      await sleep(1);
    }
    await sleep(IDLE_SECONDS * 1_000);
  });
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return {
    name: `p95 of reads beside ${SLOW_CLIENTS} slow clients`,
    ratio: slow.p95Ms / idleMs,
    bound: '≤',
    limit: 2,
    detail: `p95 ${slow.p95Ms.toFixed(1)} ms; idle ${idleMs.toFixed(1)} ms`,
  };
}
