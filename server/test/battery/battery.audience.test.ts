import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditParts, type NewAuditEntry, recordAudit, recordAudits } from '../../src/audit/audit.service.ts';
import { EVENT_CATALOGUE } from '../../src/features.ts';
import { declareEvents } from '../../src/outbox/events/events.service.ts';
import type { AuditAction } from '../../src/platform/audit-actions.ts';
import type { EventDeclaration } from '../../src/platform/http/openapi/openapi-webhooks.ts';
import { SYSTEM } from '../../src/platform/http/route/actor.ts';
import { type Actor, expectStatus, signUpAdmin } from '../customers/actors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addEndpoint } from '../outbox/webhooks.ts';

let service: TestService;
let admin: Actor;
/** An endpoint of the company, and one of the operator, for all types of events. */
let endpoints: { company: string; operator: string };
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  const url = 'https://hooks.example.com/paydesk';
  endpoints = {
    company: (await addEndpoint(service, admin, { url })).id,
    operator: (await addEndpoint(service, null, { url })).id,
  };
});
afterAll(() => service?.stop());

/** Records an event about the company in each way that there is. @returns how many */
async function recordInAllWays(type: string, declaration: EventDeclaration): Promise<number> {
  const { db } = service.database;
  const { companyId } = admin;
  const declared = declareEvents({ [type]: declaration });
  await declared.record(db, companyId, { type, data: {} });
  await declared.record(db, companyId, { type, data: {}, subject: { id: randomUUID() } });
  await declared.recordMany(db, [{ companyId, type, data: {} }]);
  await db`
    WITH changes AS (
      SELECT ${companyId}::uuid AS company_id, ${randomUUID()}::uuid AS id, ${type} AS type, '{}'::json AS data
    ), ${declared.recordingParts(db, type)}
    SELECT 1`;
  return 4;
}

/** How many events of a type an endpoint is sent. */
async function countSent(endpointId: string, type: string): Promise<number> {
  const [row] = await service.database.owner<[{ count: number }]>`
    SELECT count(*)::int AS count FROM webhook_deliveries
    JOIN events ON events.company_id = about AND events.id = event WHERE endpoint_id = ${endpointId} AND type = ${type}`;
  return row.count;
}

async function listEvents(type: string): Promise<{ companyId: string | null }[]> {
  const path = `/operator/events?type=${type}&perPage=1000`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.data;
}

describe('an event about a company', () => {
  // Security (Accounts and permissions): An event for the operator alone is sent to no webhook endpoint of a company
  test.each(Object.entries(EVENT_CATALOGUE))('%s is sent to its audience alone', async (type, declaration) => {
    const isForCompany = declaration.audience === 'company';
    const [before, sentBefore] = [(await listEvents(type)).length, await countSent(endpoints.operator, type)];
    const toCompanyBefore = await countSent(endpoints.company, type);
    const count = await recordInAllWays(type, declaration);

    const listed = (await listEvents(type)).slice(0, count);
    expect(await listEvents(type)).toHaveLength(before + count);
    expect(listed.map(({ companyId }) => companyId)).toEqual(Array(count).fill(isForCompany ? admin.companyId : null));
    expect(await countSent(endpoints.operator, type)).toBe(sentBefore + count);
    expect(await countSent(endpoints.company, type)).toBe(isForCompany ? toCompanyBefore + count : 0);
  });

  test('is replayed to its audience alone', async () => {
    const [startAt, endAt] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const path = `/payments/webhook-endpoints/${endpoints.company}/replay`;
    const answer = await service.call('POST', path, { token: admin.token, body: { startAt, endAt } });
    expect(answer.status).toBeLessThan(300);
    for (const [type, { audience }] of Object.entries(EVENT_CATALOGUE))
      expect((await countSent(endpoints.company, type)) > 0, type).toBe(audience === 'company');
  });
});

/** That nothing else here records. */
const ACTIONS = {
  company: ['role.created', 'role.updated', 'role.deleted'],
  operator: ['price.created', 'price.ended', 'price.deleted'],
} as const;

describe('an entry of the audit log about a company', () => {
  // Security (Accounts and permissions): An entry for the operator alone is in no company's audit log
  test.each(['company', 'operator'] as const)('with the audience %s is in its log alone', async (audience) => {
    const { db } = service.database;
    const entry = (action: AuditAction): NewAuditEntry => {
      return { audience, actor: SYSTEM, action, target: null, changes: null };
    };
    const [one, several, part] = ACTIONS[audience];
    await recordAudit(db, admin.companyId, entry(one));
    await recordAudits(db, admin.companyId, [entry(several)]);
    await db`WITH ${auditParts(db, admin.companyId, entry(part))} SELECT 1`;

    for (const action of ACTIONS[audience]) {
      const query = `action=${action}`;
      const ofCompany = await service.call('GET', `/company/audit-log?${query}`, { token: admin.token });
      const file = await service.call('GET', `/company/audit-log.csv?${query}`, { token: admin.token });
      const ofOperator = await service.call('GET', `/operator/audit-log?${query}`, { token: service.operatorKey });
      const isForCompany = audience === 'company';
      expect([ofCompany.body.total, file.text.includes(action)]).toEqual(isForCompany ? [1, true] : [0, false]);
      expect(ofOperator.body.data).toMatchObject([{ action, companyId: isForCompany ? admin.companyId : null }]);
    }
  });
});
