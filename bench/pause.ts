import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { dereference } from '../server/src/platform/http/openapi/dereference.ts';
import {
  type Body,
  exampleOf,
  listFieldBodies,
  listGeneralBodies,
  listRootBodies,
  type Schema,
} from './pause-bodies.ts';
import type { Row } from './report.ts';
import { bearer, connectClient, seedCompany } from './seed.ts';
import { type Setting, type StartedProcess, startService } from './setting.ts';

const WANTED_MS = 50;
/** Above this it is tried again: what the machine adds now and then is not the service's. */
const SUSPECT_MS = 15;
const TRIES = 6;

type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
type Document = { paths: Record<string, Record<string, Operation>> };

/** For how long one body of 1 MiB stops the process for everybody else: the worst of many on each route that takes one. */
export async function benchPauses(setting: Setting): Promise<Row[]> {
  const service = await startService(setting, ['./pause-probe.ts']);
  try {
    const there = { ...setting, serviceUrl: service.url };
    const company = await seedCompany(there);
    const document = dereference((await connectClient(there).service.openapi()) as Document);
    const rows: Row[] = [];
    for (const { method, path, mediaType, schema } of listRoutes(document)) {
      const credential = path.startsWith('/operator') ? `Bearer ${setting.operatorKey}` : bearer(company).authorization;
      const url =
        service.url +
        path.replace(/\{\w+\}/g, path.startsWith('/operator/companies') ? company.companyId : randomUUID());
      const send = (text: string) =>
        sendBody(url, method, { authorization: credential, 'content-type': mediaType }, text);
      const bodies = listBodies(schema, company.companyId);
      const worst = await findWorst(service, bodies, send);
      const kind = mediaType === 'application/json' ? '' : ` (${mediaType.replace('application/', '')})`;
      rows.push({
        name: `${method} ${path}${kind}`,
        ratio: worst.pauseMs / WANTED_MS,
        bound: '≤',
        limit: 1,
        detail: `${worst.pauseMs.toFixed(0)} ms of ${WANTED_MS}: ${worst.kind} (${bodies.length} bodies)`,
      });
    }
    return rows.sort((left, right) => right.ratio - left.ratio);
  } finally {
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
  }
}

type Route = { method: string; path: string; mediaType: string; schema: Schema };

function listRoutes({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema }]) => ({
        ...{ method: method.toUpperCase(), path, mediaType },
        schema,
      })),
    ),
  );
}

function listBodies(schema: Schema, companyId: string): Body[] {
  if ([schema.type].flat().includes('array')) return listRootBodies(schema);
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [
    name,
    exampleOf(part) ?? soundOf(part),
  ]);
  const sound = (exampleOf(schema) ?? Object.fromEntries(fields)) as object;
  const own = 'companyId' in sound ? { ...sound, companyId } : sound;
  return [...listGeneralBodies(own), ...listFieldBodies(schema, own)];
}

/** What a schema takes, of the examples of its parts. */
function soundOf(schema: Schema): unknown {
  const types = [schema.type].flat();
  if (types.includes('array')) return [exampleOf(schema.items ?? {}) ?? soundOf(schema.items ?? {})];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, part]) => [name, exampleOf(part) ?? soundOf(part)]));
}

async function findWorst(
  service: StartedProcess,
  bodies: readonly Body[],
  send: (text: string) => Promise<number>,
): Promise<{ kind: string; pauseMs: number }> {
  let worst = { kind: 'none', pauseMs: 0 };
  await send('{}');
  for (const { kind, text } of bodies) {
    let pauseMs = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < TRIES && pauseMs > Math.max(SUSPECT_MS, worst.pauseMs); tried += 1) {
      await askPause(service);
      const status = await send(text);
      if (status >= 500 && status !== 503) throw new Error(`${kind} was answered with ${status}.`);
      await sleep(3);
      pauseMs = Math.min(pauseMs, await askPause(service));
    }
    if (pauseMs > worst.pauseMs) worst = { kind, pauseMs };
  }
  return worst;
}

/** How long the service, which imports `pause-probe.ts`, stood still at most since it was last asked. */
export async function askPause({ process }: { process: ChildProcess }): Promise<number> {
  const answer = once(process, 'message');
  process.send('how long?');
  const [pauseMs] = await answer;
  return pauseMs as number;
}

/** @returns the status; 0 when the service ended the connection before the body was written */
function sendBody(url: string, method: string, headers: Record<string, string>, text: string): Promise<number> {
  return new Promise((resolve) => {
    const body = Buffer.from(text);
    const outgoing = request(url, { method, headers: { ...headers, 'content-length': body.length } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.once('error', () => resolve(0)).end(body);
  });
}
