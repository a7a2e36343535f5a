import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { median } from './report.ts';

/** Callers at the same time. */
export const CONNECTIONS = 32;

/** What autocannon puts something new for, each time. */
const ID = '[<id>]';

/** What to ask for, again and again. `[<id>]` in the body becomes something new each time. */
export type Target = {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  expectedStatus?: number;
  /** Callers at the same time, if not 32. */
  connections?: number;
};

export type Figures = { perSecond: number; p50Ms: number };

/** Loads one target. @throws Error when any answer has another status than expected */
export async function load(target: Target, seconds: number): Promise<Figures> {
  const { url, method = 'GET', headers = {}, body, expectedStatus = 200, connections = CONNECTIONS } = target;
  const result = await autocannon({
    url,
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body, idReplacement: body.includes(ID) }),
    connections,
    duration: seconds,
  });
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (statuses.length !== 1 || statuses[0] !== String(expectedStatus) || result.errors > 0) {
    throw new Error(`${method} ${url} answered ${JSON.stringify(result.statusCodeStats)} with ${result.errors} errors`);
  }
  return { perSecond: result.requests.average, p50Ms: result.latency.p50 };
}

export type Comparison = { ours: Figures; floor: Figures; throughputRatio: number; p50Ratio: number };

/** Loads both in turn, round by round, and takes the median of the rounds' ratios. */
export async function compare(ours: Target, floor: Target, rounds: number, seconds: number): Promise<Comparison> {
  await load(floor, 1);
  await load(ours, 1);
  const results: { ours: Figures; floor: Figures }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push({ floor: await load(floor, seconds), ours: await load(ours, seconds) });
  }
  const middle = (which: 'ours' | 'floor'): Figures => ({
    perSecond: median(results.map((result) => result[which].perSecond)),
    p50Ms: median(results.map((result) => result[which].p50Ms)),
  });
  return {
    ours: middle('ours'),
    floor: middle('floor'),
    throughputRatio: median(results.map((result) => result.ours.perSecond / result.floor.perSecond)),
    p50Ratio: median(results.map((result) => result.ours.p50Ms / Math.max(0.5, result.floor.p50Ms))),
  };
}

/** The figures behind a ratio, for the table's last column. */
export function describe({ ours, floor }: Pick<Comparison, 'ours' | 'floor'>): string {
  const one = ({ perSecond, p50Ms }: Figures) => `${perSecond.toFixed(0)}/s, p50 ${p50Ms} ms`;
  return `${one(ours)}; floor ${one(floor)}`;
}

/** One request, without the weight of `fetch`, which shares the machine with what is measured. */
export function send(address: string, options: RequestOptions, body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, options, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.once('error', reject).end(body);
  });
}

/** Does the work of all items, so many at the same time. @returns how many a second */
export async function rateOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<number> {
  const waiting = items.values();
  const beganMs = performance.now();
  const caller = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return (items.length * 1_000) / (performance.now() - beganMs);
}

/** A light load: what is asked for, at a fixed rate, whether answers come in time or not. */
const REQUESTS_PER_SECOND = 50;

export type Latencies = { p50Ms: number; p95Ms: number; seconds: number };

/** Asks for the paths in turn, at a fixed rate, for as long as the work takes. A late answer keeps no later request waiting. */
export async function measureLatencies(
  url: string,
  headers: Record<string, string>,
  paths: readonly string[],
  work: () => Promise<unknown>,
): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true });
  const [latenciesMs, pending]: [number[], Promise<void>[]] = [[], []];
  const ask = async (path: string) => {
    const beganMs = performance.now();
    const { status } = await send(`${url}${path}`, { headers, agent });
    if (status !== 200) throw new Error(`${path} answered with ${status}.`);
    latenciesMs.push(performance.now() - beganMs);
  };
  const beganMs = performance.now();
  const working = work().then(() => true);
  let isDone = false;
  for (let number = 0; !isDone; number += 1) {
    pending.push(ask(paths[number % paths.length] ?? ''));
    const nextMs = beganMs + ((number + 1) * 1_000) / REQUESTS_PER_SECOND;
    isDone = await Promise.race([working, sleep(Math.max(0, nextMs - performance.now()), false)]);
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  await Promise.all(pending);
  agent.destroy();
  latenciesMs.sort((left, right) => left - right);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), seconds };
}
