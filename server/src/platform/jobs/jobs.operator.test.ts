import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payAndWait } from '../../../test/confirmations/confirmation.ts';
import { CARDS, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { IBANS, saveMandate } from '../../../test/customers/card-setups.ts';
import { insertFailingSchedule, listJobs } from '../../../test/harness/jobs.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { writeMail } from '../../../test/mail/mails.ts';
import { addEndpoint } from '../../../test/outbox/webhooks.ts';
import { paymentOf, prepareInvoice, preparePayable } from '../../../test/payments/charge.ts';
import { postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import { JOB_TABLES } from '../../features.ts';
import { noteFailure } from '../queue/failures.service.ts';
import type { JobTable } from '../queue/job-table.ts';

const CONSUMER = '127.0.0.1:9';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    webhookAllowedHosts: [CONSUMER],
    smtpUrl: `smtp://${CONSUMER}`,
    mailFrom: { name: '', address: 'billing@mail.example.com' },
  });
});
afterAll(async () => service?.stop());

/** A job of a kind: whose it is, and its record. */
type Made = { companyId: string | null; record: string };

const owner = () => service.database.owner;

async function loseAnswer(work: () => Promise<unknown>, operation: 'confirm' | 'refund'): Promise<void> {
  await service.sandbox.armFault({ operation, kind: 'answer_lost_after_effect' });
  await work();
}

/** Creates a job of each kind, as the features do. */
const MAKE: Record<string, () => Promise<Made>> = {
  mails: async () => {
    const { companyId } = await signUpAdmin(service);
    await owner()`UPDATE mails SET status = 'failed', next_attempt_at = NULL`;
    await writeMail(service, { type: 'password_changed', to: 'ada@example.com', language: '' }, companyId);
    const [mail] = await owner()<[{ id: string }]>`SELECT id FROM mails WHERE status = 'queued'`;
    return { companyId, record: mail.id };
  },
  webhooks: async () => {
    const { id } = await addEndpoint(service, null, { url: `http://${CONSUMER}/`, types: ['user.created'] });
    await signUpAdmin(service);
    const [delivery] = await owner()<
      [{ event: string }]
    >`SELECT event FROM webhook_deliveries WHERE endpoint_id = ${id}`;
    return { companyId: null, record: `${id}/${delivery.event}` };
  },
  payments: async () => {
    const payable = await preparePayable(service);
    await loseAnswer(payable.pay, 'confirm');
    return { companyId: payable.admin.companyId, record: (await paymentOf(service, payable)).id };
  },
  confirmations: async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.asksAlways });
    const { paymentId } = await payAndWait(payable);
    return { companyId: payable.admin.companyId, record: paymentId };
  },
  debits: async () => {
    const admin = await signUpAdmin(service);
    await saveMandate(service, admin, IBANS.settlesLater);
    const details = [{ title: 'Support', currency: 'EUR', amount: '48.00' }];
    const payable = await prepareInvoice(service, admin, { details });
    expectStatus(await payable.pay(), 202);
    return { companyId: admin.companyId, record: (await paymentOf(service, payable)).id };
  },
  refunds: async () => {
    const paid = await preparePaid(service);
    await loseAnswer(() => postRefund(service, paid), 'refund');
    const [refund] = await owner()<[{ id: string }]>`SELECT id FROM refunds WHERE payment_id = ${paid.paymentId}`;
    return { companyId: paid.admin.companyId, record: refund.id };
  },
  collections: async () => {
    const { admin, invoice } = await preparePayable(service);
    return { companyId: admin.companyId, record: invoice.id };
  },
  source_detachment: async () => {
    const { companyId } = (await preparePayable(service)).admin;
    const [card] = await owner()<[{ id: string }]>`
      UPDATE cards SET deleted_at = now(), detach_at = now() WHERE company_id = ${companyId} RETURNING id`;
    return { companyId, record: card.id };
  },
  gateway_events: async () => {
    const id = `evt_${randomUUID()}`;
    await owner()`INSERT INTO gateway_notices (gateway, id, type, kind, act_at) VALUES ('sandbox', ${id}, 'x', 'other', now())`;
    return { companyId: null, record: `sandbox/${id}` };
  },
  billing_runs: async () => {
    await owner()`DELETE FROM billing_runs`;
    const id = randomUUID();
    await owner()`INSERT INTO billing_runs (id, period, status, as_of) VALUES (${id}, '2024-01', 'running', now())`;
    return { companyId: null, record: id };
  },
  billing_previews: async () => {
    const id = randomUUID();
    await owner()`INSERT INTO billing_previews (id, period, companies) VALUES (${id}, '2024-01', 0)`;
    return { companyId: null, record: id };
  },
  usage_thresholds: async () => {
    const { companyId } = await signUpAdmin(service);
    await owner()`
      INSERT INTO usage_threshold_checks (company_id, first_hour, last_hour, due_at) VALUES (${companyId}, now(), now(), now())`;
    return { companyId, record: companyId };
  },
  usage_attributions: async () => {
    const { companyId } = await signUpAdmin(service);
    await owner()`
      INSERT INTO usage_attributions (company_id, unattributed_id, oldest_time, last_at) VALUES (${companyId}, 1, now(), now())`;
    return { companyId, record: companyId };
  },
  schedules: async () => {
    const name = `schedule-${randomUUID()}`;
    await owner()`INSERT INTO schedules (name) VALUES (${name})`;
    return { companyId: null, record: name };
  },
};

/** A process that does one of these has not claimed it before. */
const RUN_UNSEEN: ReadonlySet<string> = new Set(['usage_thresholds', 'usage_attributions']);

const KINDS = [...new Set(JOB_TABLES.map(({ kind }) => kind))];

/** Assignments that put a row into a state, for the columns that its table has. */
const STATES: Record<string, (dueColumn: string) => Record<string, string>> = {
  due: (due) => ({ [due]: 'now()' }),
  late: (due) => ({ [due]: "now() - interval '2 minutes'" }),
  running: (due) => ({
    lease: 'gen_random_uuid()',
    leased_until: "now() + interval '1 minute'",
    process_id: 'gen_random_uuid()',
    [due]: "now() + interval '1 minute'",
  }),
  failing: (due) => ({ [due]: "now() + interval '1 hour'" }),
};

/** The column that says when the jobs of a kind are due. */
const DUE_COLUMNS: Record<string, string> = {
  mails: 'next_attempt_at',
  webhooks: 'next_attempt_at',
  payments: 'reconcile_at',
  confirmations: 'reconcile_at',
  debits: 'reconcile_at',
  refunds: 'reconcile_at',
  collections: 'next_attempt_at',
  source_detachment: 'detach_at',
  gateway_events: 'act_at',
  usage_thresholds: 'due_at',
  usage_attributions: 'due_at',
  schedules: 'next_at',
  billing_runs: 'as_of',
  billing_previews: 'created_at',
};

const COUNTS: Record<string, string> = {
  mails: 'attempts',
  webhooks: 'tries',
  payments: 'reconcile_count',
  confirmations: 'reconcile_count',
  debits: 'reconcile_count',
  refunds: 'reconcile_count',
  collections: 'outages',
  schedules: 'attempts',
};

/** Puts the row of a job into a state, as a worker leaves it. */
async function put({ kind, table, record: recordOf }: JobTable, made: Made, state: string): Promise<void> {
  const columns = await owner()<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table}`;
  const has = new Set(columns.map(({ name }) => name));
  const due = DUE_COLUMNS[kind] ?? '';
  const free = { lease: 'NULL', leased_until: 'NULL', process_id: 'NULL' };
  const count = COUNTS[kind] === undefined ? {} : { [COUNTS[kind]]: state === 'failing' ? '2' : '0' };
  // A mark of usage is due once its time and its creation have come.
  const created = kind === 'usage_thresholds' ? { created_at: "now() - interval '1 hour'" } : {};
  const values: Record<string, string> = { ...free, ...created, ...count, ...STATES[state]?.(due) };
  // These are due from their beginning on.
  if (state === 'failing' && /^billing/.test(kind)) values[due] = 'now()';
  const set = Object.entries(values).filter(([column]) => has.has(column));
  await owner().unsafe(
    `UPDATE ${table} SET ${set.map(([column, value]) => `${column} = ${value}`).join(', ')} WHERE ${recordOf} = '${made.record}'`,
  );
  if (state === 'failing') {
    for (let times = 0; times < 2; times += 1)
      await noteFailure(service.database.db, made.companyId, { kind, record: made.record }, new RangeError('broken'));
  }
}

const find = async (kind: string, made: Made, state: string) =>
  (await listJobs(service, `kind=${kind}&state=${state}`)).filter(({ record }) => record === made.record);
const retry = (id: string) => service.call('POST', `/operator/jobs/${id}/retry`, { token: service.operatorKey });

function tableOf(kind: string): JobTable {
  const table = JOB_TABLES.find((one) => one.kind === kind);
  if (table === undefined) throw new Error(`There is no table of ${kind}.`);
  return table;
}

describe.each(KINDS)('a job of the kind %s', (kind) => {
  it('is listed in the state that it is in, and in no other', async () => {
    const table = tableOf(kind);
    const made = await MAKE[kind]?.();
    if (made === undefined) throw new Error(`The test makes no job of ${kind}.`);
    const states = RUN_UNSEEN.has(kind) ? ['due', 'late', 'failing'] : ['due', 'late', 'running', 'failing'];
    let id = '';
    for (const state of states) {
      await put(table, made, state);
      const [job, ...others] = await find(kind, made, state);
      expect([state, others]).toEqual([state, []]);
      expect(job).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
        kind,
        ...made,
        companyExternalId: null,
        state,
        attempts: state === 'failing' ? 2 : 0,
        error: state === 'failing' ? 'RangeError: broken' : null,
        nextAttemptAt: state === 'running' ? null : expect.any(String),
      });
      expect(id === '' || id === job.id).toBe(true);
      id = job.id;
      for (const other of states) if (other !== state) expect(await find(kind, made, other)).toEqual([]);
      expect((await listJobs(service, '')).filter((one) => one.id === id)).toHaveLength(1);
    }
  });

  it('is due at once after a retry, unless it is running', async () => {
    const table = tableOf(kind);
    const made = await MAKE[kind]?.();
    if (made === undefined) throw new Error(`The test makes no job of ${kind}.`);
    if (!RUN_UNSEEN.has(kind)) {
      await put(table, made, 'running');
      const [running] = await find(kind, made, 'running');
      expect(expectStatus(await retry(running.id), 409).body.error.code).toBe('job_running');
    }
    await put(table, made, 'failing');
    const [failing] = await find(kind, made, 'failing');
    const { body } = expectStatus(await retry(failing.id), 200);
    expect(body).toMatchObject({ id: failing.id, state: 'failing' });
    expect(Date.parse(body.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

it('a job that waits for its time is not listed, and cannot be retried', async () => {
  const id = await insertFailingSchedule(service);
  await owner()`UPDATE schedules SET attempts = 0 WHERE name = 'battery'`;
  for (const unknown of [id, randomUUID()]) {
    expect(expectStatus(await retry(unknown), 404).body.error.code).toBe('not_found');
  }
});

it('jobs are listed by pages, those that are due for longest first, with the schedules on each page', async () => {
  const token = service.operatorKey;
  await owner()`TRUNCATE schedules`;
  await owner()`
    INSERT INTO schedules (name, next_at, last_run_at)
    SELECT 'page-' || day, now() - make_interval(days => day), now() FROM generate_series(1, 3) AS day`;
  const pages = [];
  for (const page of [1, 2]) {
    const { body } = expectStatus(
      await service.call('GET', `/operator/jobs?kind=schedules&perPage=2&page=${page}`, { token }),
      200,
    );
    expect(body).toMatchObject({ total: 3, page, perPage: 2 });
    expect(body.schedules).toHaveLength(3);
    expect(body.schedules[0]).toEqual({ name: 'page-1', nextAt: expect.any(String), lastRunAt: expect.any(String) });
    pages.push(...body.data);
  }
  expect(pages.map(({ record }) => record)).toEqual(['page-3', 'page-2', 'page-1']);
});

it('errors are stored and shown without values, credentials and card numbers', async () => {
  const error = Object.assign(
    new Error(
      'postgres://paydesk:hunter2@db/paydesk refused 4242 4242 4242 4242, Bearer abc.def, opk_0123456789abcdef',
    ),
    { name: 'PostgresError', code: '08006', query: 'SELECT secret_column', parameters: ['a secret value'] },
  );
  await insertFailingSchedule(service);
  await noteFailure(service.database.db, null, { kind: 'schedules', record: 'battery' }, error);
  const job = (await listJobs(service, 'kind=schedules')).find(({ record }) => record === 'battery');
  expect(job.error).toBe('PostgresError 08006: postgres://db/paydesk refused [number], Bearer [token] opk_[key]');
  const kept = await owner()<{ error: string }[]>`SELECT error FROM job_failures`;
  expect(JSON.stringify(kept)).not.toMatch(/hunter2|4242 4242|abc\.def|0123456789|secret|node_modules/);
});
