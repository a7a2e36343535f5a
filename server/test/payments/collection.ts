/** What the tests of the automatic collection share: a service whose clock they set, and a worker that they run. */
import type { FastifyBaseLogger } from 'fastify';
import type { CollectionDependencies } from '../../src/payments/collection/collection.collect.ts';
import { selectDueGateways } from '../../src/payments/collection/collection.worker.queries.ts';
import { collectDue } from '../../src/payments/collection/collection.worker.ts';
import { putSettings } from '../billing/credits.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import type { TestService, TestServiceOptions } from '../harness/service.ts';
import { type ChargeService, startChargeService } from './charge.ts';

const HOUR_MS = 3_600_000;

export type CollectionService = ChargeService & {
  now: () => Date;
  /** Advances the clock by this many hours. */
  passHours: (hours: number) => void;
  /** Collects once, at each gateway, what is due now. */
  collect: () => Promise<{ awayGateways: string[] }>;
};

/** Starts a service on a clock that only the test advances. */
export async function startCollectionService(options: TestServiceOptions = {}): Promise<CollectionService> {
  let now = new Date('2026-12-01T09:00:00.000Z');
  const clock = () => now;
  const service = await startChargeService({ ...options, clock });
  return {
    ...service,
    now: clock,
    passHours: (hours) => {
      now = new Date(now.getTime() + hours * HOUR_MS);
    },
    collect: () => collectAllDue({ ...service.dependencies, clock }, service.server.log),
  };
}

/** Runs one pass of a worker at each gateway where something is due. @returns the gateways that were away */
export async function collectAllDue(
  dependencies: CollectionDependencies,
  log: FastifyBaseLogger,
): Promise<{ awayGateways: string[] }> {
  const gateways = await selectDueGateways(dependencies.db, dependencies.clock());
  const rounds = await Promise.all(gateways.map((gateway) => collectDue(dependencies, log, { gateway })));
  return { awayGateways: gateways.filter((_, index) => rounds[index]?.isAway) };
}

/** Advances the clock by this many days, and collects what is due then. */
export async function collectAfterDays(service: CollectionService, days: number): Promise<void> {
  service.passHours(days * 24);
  await service.collect();
}

export type Debtor = { admin: Actor; invoiceId: string };

/** Prepares a company with this default card and these billing settings, and an invoice of 48.00 USD. */
export async function prepareDebtor(
  service: TestService,
  { cardNumber, settings = {}, invoice = {} }: { cardNumber?: string; settings?: object; invoice?: object } = {},
): Promise<Debtor> {
  const admin = await signUpAdmin(service);
  if (cardNumber !== undefined) await saveCard(service, admin, { cardNumber, isDefault: true });
  expectStatus(await putSettings(service, admin.companyId, settings), 200);
  const { id } = await issueInvoice(service, admin.companyId, invoice);
  return { admin, invoiceId: id };
}

/** Reads the invoice with its attempts, as its company does. */
export async function readDebt(service: TestService, { admin: { token }, invoiceId }: Debtor) {
  return expectStatus(await service.call('GET', `/payments/orders/${invoiceId}`, { token }), 200).body;
}

/** Lists how its attempts ended, each with its reason. */
export async function outcomesOf(service: TestService, debtor: Debtor): Promise<string[]> {
  const { attempts } = await readDebt(service, debtor);
  return attempts.map(({ status, failureReason, declineCode }: Record<string, string | null>) =>
    [status, declineCode ?? failureReason].filter((part) => part !== null).join(' '),
  );
}
