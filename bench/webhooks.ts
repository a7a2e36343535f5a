import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { OPERATOR_SCOPE } from '../server/src/platform/operator-scope.ts';
import { rateOf } from './load.ts';
import { processorSeconds } from './processes.ts';
import { median, type Row } from './report.ts';
import { type Company, connectClient, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

/** Of one endpoint the worker sends four at a time, and 64 in all. */
const PER_ENDPOINT = 4;
const ENDPOINTS = 16;
const EVENTS = 3_200;

type Event = { id: string; type: string; timestamp: string; companyId: string; data: object };
type Delivered = { perSecond: number; processorMs: number };

/**
 * Deliveries a second of the worker, from the row to the noted attempt, against as many callers that sign the same events and send
 * them with `fetch`, to the same receiver.
 */
export async function benchWebhooks(setting: Setting): Promise<Row[]> {
  const company = await seedCompany(setting);
  const secrets = await Promise.all(Array.from({ length: ENDPOINTS }, () => seedEndpoint(setting)));
  await deliver(setting, company, ENDPOINTS, 640);
  return [
    await compareDelivery(setting, company, secrets, ENDPOINTS),
    await compareDelivery(setting, company, secrets, 1),
  ];
}

async function compareDelivery(
  setting: Setting,
  company: Company,
  secrets: readonly string[],
  endpoints: number,
): Promise<Row> {
  const events = endpoints === 1 ? EVENTS / 4 : EVENTS;
  const rounds: { ours: Delivered; floor: number }[] = [];
  for (let round = 0; round < setting.rounds; round += 1) {
    const floor = await fetchAll(setting, company, secrets.slice(0, endpoints), events);
    rounds.push({ floor, ours: await deliver(setting, company, endpoints, events) });
  }
  const ours = median(rounds.map((round) => round.ours.perSecond)).toFixed(0);
  const floor = median(rounds.map((round) => round.floor)).toFixed(0);
  const processorMs = median(rounds.map((round) => round.ours.processorMs)).toFixed(2);
  return {
    name: `webhooks, ${endpoints * PER_ENDPOINT} at a time to ${endpoints} endpoint${endpoints === 1 ? '' : 's'}`,
    ratio: median(rounds.map((round) => round.ours.perSecond / round.floor)),
    bound: '≥',
    limit: 0.3,
    detail: `${ours} deliveries/s, ${processorMs} ms of processor time each; ${floor}/s by a loop of fetch`,
  };
}

/** An endpoint of the operator, whose endpoints alone may be on loopback. */
export async function seedEndpoint(setting: Setting): Promise<string> {
  const endpoint = { url: `${setting.floorUrl}/hook`, types: ['user.created' as const] };
  const { secret } = await connectClient(setting).operator.webhookEndpoints.create(endpoint);
  return secret;
}

function makeEvent({ companyId }: Company): Event {
  const data = { id: uuidv7(), number: 'INV-000001', total: '48.00', currency: 'USD', note: 'x'.repeat(700) };
  return { id: uuidv7(), type: 'invoice.created', timestamp: new Date().toISOString(), companyId, data };
}

/** So many events fall due at once, evenly among the endpoints. */
export async function deliver(
  { owner, serviceProcessId }: Setting,
  company: Company,
  endpoints: number,
  count: number,
): Promise<Delivered> {
  const events = JSON.stringify(Array.from({ length: count }, () => makeEvent(company)));
  const processorBefore = await processorSeconds(serviceProcessId);
  const [{ began }] = await owner<[{ began: Date }]>`
    WITH given AS (
      SELECT id, data, number FROM ROWS FROM (json_to_recordset(${events}::text::json) AS (id uuid, data json)) WITH ORDINALITY
        AS given (id, data, number)
    ), recorded AS (
      INSERT INTO events (company_id, id, type, data)
      SELECT ${company.companyId}::uuid, id, 'invoice.created', data FROM given
    ), endpoints AS (
      SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM webhook_endpoints
      WHERE company_id = ${OPERATOR_SCOPE} ORDER BY id LIMIT ${endpoints}
    ), addressed AS (
      INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
      SELECT ${OPERATOR_SCOPE}::uuid, endpoints.id, given.id, ${company.companyId}::uuid, now()
      FROM given JOIN endpoints ON place = number % ${endpoints}::int
    )
    SELECT clock_timestamp() AS began`;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [row] = await owner<[{ waiting: boolean; failed: boolean; seconds: number }]>`
      SELECT EXISTS (SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL) AS waiting,
             EXISTS (SELECT FROM webhook_attempts WHERE failure IS NOT NULL) AS failed,
             (SELECT extract(epoch FROM max(created_at) - ${began}) FROM webhook_attempts)::float8 AS seconds`;
    if (row.failed) throw new Error('The receiver did not take an event.');
    if (row.waiting) continue;
    const processorMs = (1_000 * ((await processorSeconds(serviceProcessId)) - processorBefore)) / count;
    return { perSecond: count / row.seconds, processorMs };
  }
}

/** The floor: the same events signed with the same library and sent, as many at a time. @returns how many a second */
async function fetchAll(
  { floorUrl }: Setting,
  company: Company,
  secrets: readonly string[],
  count: number,
): Promise<number> {
  const events = Array.from({ length: count }, () => makeEvent(company));
  return rateOf([...events.entries()], secrets.length * PER_ENDPOINT, async ([index, event]) => {
    const body = JSON.stringify(event);
    const sentAt = new Date();
    const signature = new Webhook(secrets[index % secrets.length] ?? '').sign(event.id, sentAt, body);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': signature,
    };
    const answer = await fetch(`${floorUrl}/hook`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 204) throw new Error(`The receiver answered with ${answer.status}.`);
  });
}
