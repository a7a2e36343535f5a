/** What the tests of the charge share: a service whose gateway they can stop, and access to the books of both. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfiguredGateway } from '../../src/gateways/gateways.ts';
import type { MovementRow } from '../../src/gateways/sandbox/bank/bank.queries.ts';
import type { SandboxSettings } from '../../src/gateways/sandbox/sandbox.ts';
import { startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import type { PaymentDependencies } from '../../src/payments/charge/charge.ts';
import type { RefusalLimits } from '../../src/platform/config/config.ts';
import { type Actor, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import { reconcileRefunds } from '../harness/reconcilers.ts';
import type { Answer, Request } from '../harness/request.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../harness/service.ts';
import { recordTransitions } from '../invariants/invariants.books.ts';
import { findViolations } from '../invariants/invariants.ts';

/** Runs the reconciler until every refund has an outcome, and fails when that never happens. */
export async function settleRefunds({ database, gateways, server }: TestService): Promise<void> {
  for (let checks = 0; checks < 12; checks += 1) {
    const [row] = await database.owner<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM refunds WHERE state IN ('created', 'unknown')`;
    if (row.waiting === 0) return;
    await database.owner`UPDATE refunds SET reconcile_at = now() - interval '1 second' WHERE reconcile_at IS NOT NULL`;
    await reconcileRefunds({ db: database.db, gateways }, server.log);
  }
  throw new Error('refunds are still waiting after twelve looks');
}

export type ChargeService = TestService & {
  gateway: ConfiguredGateway;
  /** The dependencies of a reconciler of this service. */
  dependencies: PaymentDependencies & { limits: RefusalLimits };
  /** Stops the gateway, so that connections are refused. */
  takeGatewayAway: () => Promise<void>;
  bringGatewayBack: () => Promise<void>;
  /** Hides a payment at the gateway; returns the function that shows it again. */
  hideAtGateway: (gatewayPaymentId: string) => () => void;
  /** Changes the object to how it was before objects carried their debt. Only the sandbox can. */
  forgetDebtAtGateway?: (gatewayPaymentId: string) => void;
};

/** Starts a service on a gateway that can be stopped; by default without a reconciler in the background. */
export async function startChargeService(options: TestServiceOptions = {}): Promise<ChargeService> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-charge-'));
  const ledgerPath = join(folder, 'ledger.db');
  const secret = randomBytes(24).toString('base64url');
  const start = (port: number) => startSandboxGateway({ ledgerPath, host: '127.0.0.1', port, secret });
  let sandbox = await start(0);
  const { port, url } = sandbox;
  const service = await startTestService({
    gateways: { sandbox: { server: { baseUrl: url, secret } } },
    ...options,
  });
  await recordTransitions(service.database.owner);
  const { gateways } = service;
  return {
    ...service,
    gateway: gateways.chosen,
    dependencies: { db: service.database.db, gateways, limits: service.config.refusedCharges },
    takeGatewayAway: async () => {
      await sandbox.close();
      await keepPort(port);
    },
    bringGatewayBack: async () => {
      sandbox = await start(port);
      freePort(port);
    },
    // In the year 9026 it is in none of the gateway's lists of today either.
    hideAtGateway: (id) => {
      const [hide, show] = [
        "UPDATE payments SET id = 'hidden-' || id, created_at = '9' || substr(created_at, 2) WHERE id = ?",
        "UPDATE payments SET id = substr(id, 8), created_at = '2' || substr(created_at, 2) WHERE id = 'hidden-' || ?",
      ];
      change(ledgerPath, (ledger) => ledger.prepare(hide).run(id));
      return () => change(ledgerPath, (ledger) => ledger.prepare(show).run(id));
    },
    forgetDebtAtGateway: (id) => {
      change(ledgerPath, (ledger) =>
        ledger.prepare(`UPDATE payments SET debt = NULL, sequence = NULL, details = '{}' WHERE id = ?`).run(id),
      );
    },
    stop: async () => {
      await service.stop();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The environment of another process that works beside the service, on its database and with its gateway. */
export function chargeEnvironment({ database, config, operatorKey }: TestService): Record<string, string> {
  const { server } = config.gateways.sandbox as SandboxSettings;
  return {
    DATABASE_URL: database.url,
    // The data directory has the keys that encrypt the cards and tokens of the service.
    DATA_DIR: config.dataDirectory,
    OPERATOR_KEY: operatorKey,
    SANDBOX_GATEWAY_URL: server?.baseUrl ?? '',
    SANDBOX_GATEWAY_SECRET: server?.secret ?? '',
  };
}

function change(ledgerPath: string, apply: (ledger: DatabaseSync) => void): void {
  const ledger = new DatabaseSync(ledgerPath, { timeout: 5_000, enableForeignKeyConstraints: false });
  apply(ledger);
  ledger.close();
}

export type Payable = { admin: Actor; invoice: { id: string }; pay: (request?: Request) => Promise<Answer> };

/** Prepares a company with a card and an open invoice of 48.00 USD. */
export async function preparePayable(
  service: TestService,
  { cardNumber, invoice: changes = {} }: { cardNumber?: string; invoice?: object } = {},
): Promise<Payable> {
  const admin = await signUpAdmin(service);
  await saveCard(service, admin, cardNumber === undefined ? {} : { cardNumber });
  return prepareInvoice(service, admin, changes);
}

/** Prepares another invoice of a company. */
export async function prepareInvoice(service: TestService, admin: Actor, changes: object = {}): Promise<Payable> {
  const invoice = await issueInvoice(service, admin.companyId, changes);
  const path = `/payments/orders/${invoice.id}/pay`;
  return { admin, invoice, pay: (request = {}) => service.call('PUT', path, { token: admin.token, ...request }) };
}

export type PaymentState = {
  id: string;
  companyId: string;
  state: string;
  gatewayPaymentId: string | null;
  failureReason: string | null;
  declineCode: string | null;
  reconcileCount: number;
};

/** Reads the payments of an invoice from the database, the oldest first. */
export async function paymentsOf(
  { database }: TestService,
  { invoice }: Pick<Payable, 'invoice'>,
): Promise<PaymentState[]> {
  return database.owner<PaymentState[]>`
    SELECT id, company_id AS "companyId", state, gateway_payment_id AS "gatewayPaymentId", failure_reason AS "failureReason",
           decline_code AS "declineCode", reconcile_count AS "reconcileCount"
    FROM payments WHERE invoice_id = ${invoice.id} ORDER BY created_at, id`;
}

/** Reads the only payment of an invoice. */
export async function paymentOf(service: TestService, payable: Pick<Payable, 'invoice'>): Promise<PaymentState> {
  const [payment, ...others] = await paymentsOf(service, payable);
  if (payment === undefined || others.length > 0) throw new Error(`there is not one payment, but ${others.length + 1}`);
  return payment;
}

/** Reads the invoice's status and paymentId, as the list shows them, with its latest payment. */
export async function readInvoice(service: TestService, { admin, invoice }: Payable) {
  const list = await service.call('GET', `/payments/orders?receipt=${invoice.id}`, { token: admin.token });
  return list.body.data[0];
}

/** Reads what the gateway captured for an invoice. */
export async function capturesOf(service: TestService, payable: Pick<Payable, 'invoice'>): Promise<MovementRow[]> {
  const ids = new Set((await paymentsOf(service, payable)).map((payment) => payment.id));
  const { payments, captures } = await service.sandbox.readLedger();
  const objects = new Set(payments.filter((payment) => ids.has(payment.reference)).map((payment) => payment.id));
  return captures.filter((capture) => objects.has(capture.paymentId));
}

/** Runs the reconciler until every payment has an outcome or waits for its customer or bank, and fails when that never happens. */
export async function settleAll(service: TestService): Promise<void> {
  if (await isAnyWaiting(service)) await service.reconcileNow();
  for (let checks = 0; checks < 60; checks += 1) {
    const [row] = await service.database.owner<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM payments WHERE state IN ('created', 'sending', 'unknown')`;
    if (row.waiting === 0) return;
    // What the gateway does not know yet is asked for again a little later.
    if (checks >= 12) await sleep(250);
    await service.reconcileNow();
  }
  throw new Error('payments are still waiting after sixty looks');
}

async function isAnyWaiting({ database }: TestService): Promise<boolean> {
  return (
    (await database.owner`SELECT FROM payments WHERE state IN ('requires_action', 'processing') LIMIT 1`).length === 1
  );
}

/** The violations that were found in each service's books, so that a later test does not fail for them. */
const known = new WeakMap<TestService, Set<string>>();

/** Settles everything on a gateway without faults and compares the books of both. Fails for new violations. */
export async function expectSoundBooks(service: TestService): Promise<void> {
  await service.sandbox.clearFaults();
  await service.sandbox.endDelays();
  const unsettled = await settleAll(service)
    .then(() => settleRefunds(service))
    .then(
      () => null,
      (error: unknown) => error,
    );
  const violations = await findViolations(service.database.owner, await service.sandbox.readLedger());
  const before = known.get(service) ?? new Set();
  known.set(service, new Set(violations));
  const found = violations.filter((violation) => !before.has(violation));
  if (found.length > 0) throw new Error(`the books do not agree:\n${found.join('\n')}`);
  if (unsettled !== null) throw unsettled;
}
