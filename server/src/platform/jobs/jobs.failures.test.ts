/** Workers fail on purpose: what the operator then sees of their jobs, and that a retry makes them succeed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { listJobs } from '../../../test/harness/jobs.ts';
import { eventually } from '../../../test/harness/process.ts';
import { reconcileDue, reconcileRefunds } from '../../../test/harness/reconcilers.ts';
import { startSending, writeMail } from '../../../test/mail/mails.ts';
import { addEndpoint, type Consumer, deliver, startConsumer } from '../../../test/outbox/webhooks.ts';
import { type ChargeService, paymentOf, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { collectAllDue, prepareDebtor } from '../../../test/payments/collection.ts';
import { postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import { computeNextPreview } from '../../billing/previews/previews.worker.ts';
import { processNextRun } from '../../billing/runs/runs.worker.ts';
import { checkThresholds } from '../../billing/thresholds/thresholds.worker.ts';
import { JOB_TABLES } from '../../features.ts';
import { detachDue } from '../../payments/detach/detach.ts';
import { processKeptEvents } from '../../payments/gateway-events/kept-events.worker.ts';
import { systemClock } from '../calendar/clock.ts';
import { removeEndedFailures } from '../queue/failures.worker.queries.ts';

const SMTP = '127.0.0.1:9';

let service: ChargeService;
let consumer: Consumer;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startChargeService({
    webhookAllowedHosts: [consumer.host],
    smtpUrl: `smtp://${SMTP}`,
    mailFrom: { name: '', address: 'billing@mail.example.com' },
  });
  await service.database.owner`
    CREATE FUNCTION break_work() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken on purpose'; END $$`;
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

let months = 0;

const owner = () => service.database.owner;

/** Runs work while every write of a kind to a table fails. */
async function whileBroken(table: string, write: 'UPDATE' | 'DELETE', work: () => Promise<unknown>): Promise<void> {
  await owner().unsafe(`CREATE TRIGGER broken BEFORE ${write} ON ${table} FOR EACH ROW EXECUTE FUNCTION break_work()`);
  await work().catch(() => undefined);
  await owner().unsafe(`DROP TRIGGER broken ON ${table}`);
}

async function whileAway(work: () => Promise<unknown>): Promise<void> {
  await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
  await work();
  await service.sandbox.clearFaults();
}

/** A job that fails, what the operator sees of it, and the work of its worker, once what was broken is repaired. */
type Failing = { kind: string; record: string; error: RegExp; work: () => Promise<unknown> };

const FAIL: Record<string, () => Promise<Failing>> = {
  mails: async () => {
    const to = `${randomUUID()}@example.com`;
    await writeMail(service, { type: 'password_changed', to, language: '' });
    const [mail] = await owner()<[{ id: string }]>`SELECT id FROM mails WHERE recipients ->> 0 = ${to}`;
    const worker = startSending(service);
    await eventually(async () => (await owner()`SELECT FROM mails WHERE id = ${mail.id} AND attempts > 0`).length > 0);
    await worker.stop();
    // Nobody can reach that mail server: it is as if it had taken the mail.
    const work = () =>
      owner()`UPDATE mails SET status = 'sent', sent_at = now(), next_attempt_at = NULL WHERE id = ${mail.id}`;
    return { kind: 'mails', record: mail.id, error: /^E[A-Z]+/, work };
  },
  webhooks: async () => {
    consumer.answer('/fails', (response) => {
      response.statusCode = 500;
      response.end('no');
    });
    const { id } = await addEndpoint(service, null, { url: consumer.url('/fails'), types: ['user.created'] });
    await signUpAdmin(service);
    await deliver(service);
    consumer.answer('/fails', (response) => void response.end('yes'));
    const [{ event }] = await owner()<
      [{ event: string }]
    >`SELECT event FROM webhook_deliveries WHERE endpoint_id = ${id}`;
    return { kind: 'webhooks', record: `${id}/${event}`, error: /^status_not_2xx 500$/, work: () => deliver(service) };
  },
  payments: async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await payable.pay();
    await owner()`UPDATE payments SET reconcile_at = now() WHERE invoice_id = ${payable.invoice.id}`;
    const work = () => reconcileDue(service.dependencies, service.server.log);
    await whileAway(work);
    return { kind: 'payments', record: (await paymentOf(service, payable)).id, error: /^GatewayError/, work };
  },
  refunds: async () => {
    const paid = await preparePaid(service);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    await postRefund(service, paid);
    const [{ id }] = await owner()<[{ id: string }]>`
      UPDATE refunds SET reconcile_at = now() WHERE payment_id = ${paid.paymentId} RETURNING id`;
    const work = () => reconcileRefunds(service.dependencies, service.server.log);
    await whileAway(work);
    return { kind: 'refunds', record: id, error: /^GatewayError/, work };
  },
  collections: async () => {
    await owner()`UPDATE collections SET state = 'manual', next_attempt_at = NULL WHERE state = 'scheduled'`;
    const { invoiceId } = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await owner()`UPDATE collections SET next_attempt_at = now() - interval '1 second' WHERE invoice_id = ${invoiceId}`;
    const work = () => collectAllDue({ ...service.dependencies, clock: systemClock }, service.server.log);
    await service.takeGatewayAway();
    await work();
    await service.bringGatewayBack();
    return { kind: 'collections', record: invoiceId, error: /^No answer from the gateway sandbox\.$/, work };
  },
  source_detachment: async () => {
    const { companyId } = (await preparePayable(service)).admin;
    const [card] = await owner()<[{ id: string }]>`
      UPDATE cards SET deleted_at = now(), detach_at = now() WHERE company_id = ${companyId} RETURNING id`;
    const work = () => detachDue(service.dependencies, 'sandbox');
    await whileAway(work);
    return { kind: 'source_detachment', record: card.id, error: /^GatewayError/, work };
  },
  gateway_events: async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await payable.pay();
    const id = `evt_${randomUUID()}`;
    const { gatewayPaymentId } = await paymentOf(service, payable);
    await owner()`
      INSERT INTO gateway_notices (gateway, id, type, kind, gateway_payment_id, act_at)
      VALUES ('sandbox', ${id}, 'paid', 'payment', ${gatewayPaymentId}, now())`;
    const work = () => processKeptEvents(service.dependencies, service.server.log);
    await whileAway(work);
    return { kind: 'gateway_events', record: `sandbox/${id}`, error: /^GatewayError/, work };
  },
  billing_runs: async () => {
    const id = randomUUID();
    months += 1;
    await owner()`INSERT INTO billing_runs (id, period, status, as_of) VALUES (${id}, ${`2024-0${months}`}, 'running', now())`;
    const work = () => processNextRun(service.database.db, service.server.log);
    await whileBroken('usage_cutoffs', 'UPDATE', work);
    return { kind: 'billing_runs', record: id, error: /broken on purpose/, work };
  },
  billing_previews: async () => {
    const id = randomUUID();
    await owner()`INSERT INTO billing_previews (id, period, companies) VALUES (${id}, '2024-01', 0)`;
    const work = () => computeNextPreview(service.database.db, service.server.log);
    await owner()`ALTER TABLE billing_preview_invoices RENAME TO away`;
    await work().catch(() => undefined);
    await owner()`ALTER TABLE away RENAME TO billing_preview_invoices`;
    return { kind: 'billing_previews', record: id, error: /does not exist/, work };
  },
  usage_thresholds: async () => {
    const { companyId } = await signUpAdmin(service);
    await owner()`
      INSERT INTO usage_threshold_checks (company_id, first_hour, last_hour, due_at) VALUES (${companyId}, now(), now(), now())`;
    const work = () => checkThresholds({ db: service.database.db, clock: systemClock }, service.server.log);
    await whileBroken('usage_threshold_checks', 'DELETE', work);
    return { kind: 'usage_thresholds', record: companyId, error: /broken on purpose/, work };
  },
};

const find = async ({ kind, record }: Failing) =>
  (await listJobs(service, `kind=${kind}`)).find((job) => job.record === record);

describe.each(Object.keys(FAIL))('a job of the kind %s', (kind) => {
  it('fails, is listed with its error, and is done after a retry; then its error is deleted', async () => {
    const failing = await FAIL[kind]?.();
    if (failing === undefined) throw new Error(`Nothing fails of ${kind}.`);
    const job = await find(failing);
    expect(job).toMatchObject({ state: 'failing', attempts: 1, error: expect.stringMatching(failing.error) });
    const token = service.operatorKey;
    expectStatus(await service.call('POST', `/operator/jobs/${job.id}/retry`, { token }), 200);
    await failing.work();
    expect(await find(failing)).toBeUndefined();
    await owner()`UPDATE job_failures SET failed_at = now() - interval '1 hour'`;
    await removeEndedFailures(service.database.db, JOB_TABLES, 1_000);
    expect(await owner()`SELECT FROM job_failures WHERE kind = ${kind} AND record = ${failing.record}`).toEqual([]);
  });
});

it('the errors of jobs that still fail are kept', async () => {
  const failing = await FAIL.billing_runs?.().catch(() => undefined);
  if (failing === undefined) throw new Error('No run fails.');
  await owner()`UPDATE job_failures SET failed_at = now() - interval '1 hour'`;
  await removeEndedFailures(service.database.db, JOB_TABLES, 1_000);
  expect((await find(failing))?.error).toMatch(failing.error);
});
