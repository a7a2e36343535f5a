/** A webhook consumer on loopback, and functions that deliver events. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { rememberExternalIds } from '../../src/customers/companies/external-ids/external-ids.service.ts';
import { EVENT_DATA } from '../../src/features.ts';
import { bodyWriter } from '../../src/outbox/webhooks/delivery/body.ts';
import type { WebhookDependencies } from '../../src/outbox/webhooks/delivery/deliver.ts';
import { deliverDue, startWebhookWorker } from '../../src/outbox/webhooks/delivery/delivery.worker.ts';
import { createSend, type Send, type SendOptions } from '../../src/outbox/webhooks/sending/send.ts';
import type { Worker } from '../../src/platform/background/background.ts';
import { openKeyring } from '../../src/platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

export type Received = { path: string; headers: Record<string, string>; body: string };

/** The content of a body. */
export type WebhookMessage = {
  id: string;
  type: string;
  timestamp: string;
  companyId: string | null;
  data: { [field: string]: unknown };
};

export type Consumer = {
  /** `host:port`, for the list of allowed hosts. */
  host: string;
  /** Returns the URL of a path, which answers 200 unless `answer` changes that. */
  url: (path: string) => string;
  /** The same for companies, which may not use loopback addresses: a public name, as behind a proxy. */
  publicUrl: (path: string) => string;
  /** Returns what arrived at a path, in order. */
  received: (path: string) => Received[];
  /** Sets how a path answers from now on. */
  answer: (path: string, how: (response: ServerResponse, what: Received) => void) => void;
  stop: () => Promise<void>;
};

/** Starts a consumer on a free port. */
export async function startConsumer(): Promise<Consumer> {
  const received: Received[] = [];
  const answers = new Map<string, (response: ServerResponse, what: Received) => void>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      const path = request.url ?? '';
      const what = { path, headers: toText(request.headers), body };
      received.push(what);
      const answer = answers.get(path) ?? ((it: ServerResponse) => it.end('ok'));
      answer(response, what);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    publicUrl: (path) => toPublic(`http://${host}${path}`),
    received: (path) => received.filter((one) => one.path === path),
    answer: (path, how) => void answers.set(path, how),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toText(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Reads what was received with the verifier of the `standardwebhooks` package, which throws if the signature is invalid. */
export function verify(secret: string, { body, headers }: Received): WebhookMessage {
  return new Webhook(secret).verify(body, headers) as WebhookMessage;
}

/** Adds an endpoint: the company's, at a consumer's public name, or without an actor the operator's. @returns it with its secret */
export async function addEndpoint(service: TestService, actor: Actor | null, { url, ...body }: NewEndpoint) {
  const { prefix, token } = sideOf(service, actor);
  const visible = { ...body, url: actor === null ? url : toPublic(url) };
  return expectStatus(await service.call('POST', prefix, { token, body: visible }), 201).body;
}

type NewEndpoint = { url: string; types?: string[]; description?: string };

function toPublic(url: string): string {
  return url.replace(/^http:\/\/127\.0\.0\.1:(\d+)/, 'https://consumer-$1.example.com');
}

/** Sends requests for a consumer's public name to the consumer's own address. */
function createSendToConsumers(options: SendOptions): Send {
  const send = createSend(options);
  return ({ companyId, url }, headers, body) => {
    const endpointUrl = url.replace(/^https:\/\/consumer-(\d+)\.example\.com/, 'http://127.0.0.1:$1');
    return send({ companyId: endpointUrl === url ? companyId : OPERATOR_SCOPE, url: endpointUrl }, headers, body);
  };
}

/** Sends a request to a path of an endpoint: `callEndpoint(service, admin, 'POST', id, '/test')`. */
export async function callEndpoint(
  service: TestService,
  actor: Actor | null,
  method: string,
  rest: string,
  body?: object,
) {
  const { prefix, token } = sideOf(service, actor);
  return service.call(method, `${prefix}/${rest}`, { token, ...(body === undefined ? {} : { body }) });
}

function sideOf(service: TestService, actor: Actor | null): { prefix: string; token: string } {
  if (actor === null) return { prefix: '/operator/webhook-endpoints', token: service.operatorKey };
  return { prefix: '/payments/webhook-endpoints', token: actor.token };
}

/** Returns the endpoint's deliveries, the newest event first. */
export async function deliveriesOf(service: TestService, actor: Actor | null, endpointId: string) {
  const answer = await callEndpoint(service, actor, 'GET', `${endpointId}/deliveries?perPage=1000`);
  return expectStatus(answer, 200).body.data;
}

/** Makes all due deliveries once. */
export async function deliver(service: TestService, { timeoutMs = 60_000 } = {}): Promise<void> {
  const dependencies = dependenciesOf(service, timeoutMs);
  while ((await deliverDue(dependencies, service.server.log)) > 0);
}

/** Starts the worker that delivers in the background. */
export function startDelivering(service: TestService, options?: { longestWaitMs: number }): Worker {
  return startWebhookWorker(dependenciesOf(service, 15_000), service.server.log, options);
}

function dependenciesOf({ config, database, chargesHold }: TestService, timeoutMs: number): WebhookDependencies {
  const { webhookAllowedHosts: allowedHosts, dataDirectory } = config;
  const send = createSendToConsumers({ allowedHosts, timeoutMs });
  const writeBodies = bodyWriter(rememberExternalIds(database.db), EVENT_DATA);
  return { db: database.db, keyring: openKeyring(dataDirectory), send, chargesHold, writeBodies };
}

/** Makes the next attempt of all pending deliveries to the endpoint due now. */
export async function makeDue(service: TestService, endpointId: string): Promise<void> {
  await service.database.owner`
    UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 second'
    WHERE endpoint_id = ${endpointId} AND next_attempt_at IS NOT NULL`;
}
