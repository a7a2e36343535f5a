import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../companies/companies.service.ts';
import type { RefusalLimits } from '../config.ts';
import { type Db, type Tx, transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { insertAlertUnlessRecent } from '../gateways/gateways.queries.ts';
import {
  type AskedCharge,
  type Count,
  countAskedCharges,
  insertAskedCharge,
  lockAskers,
} from './payments.card-testing.queries.ts';

/** Who asks for a charge: the network of a person's client (see `clientNetwork`), and how often the bank may refuse it. */
export type Asker = { network: string; limits: RefusalLimits };

/** How long a charge waits for others, on whose outcome it depends whether it may begin. */
const PATIENCE_MS = 20_000;
const POLL_INTERVAL_MS = 100;
const ALERT_REPEAT_SECONDS = 3_600;

class TooManyRefused extends Error {
  readonly count: Count;

  constructor(count: Count) {
    super(`too many charges of this ${count.scope} were refused`);
    this.count = count;
  }
}
class TooManyOpen extends Error {}

/**
 * Lets a charge begin that a person asks for, while fewer than the limits were refused in the last hour: those without an outcome count as
 * refused meanwhile, so that no number of charges at the same time gets past. The company is locked.
 * @throws what `untilAdmitted` waits for and answers
 */
export async function admitCharge(
  tx: Tx,
  companyId: string,
  charge: Omit<AskedCharge, 'network'>,
  { network, limits }: Asker,
): Promise<void> {
  const asked = { ...charge, network };
  const taken = await insertAskedCharge(tx, companyId, asked);
  const near = SCOPES.filter(({ scope, limitOf, near: distance }) => limitOf(limits) - taken[scope] <= distance).map(
    ({ scope }) => scope,
  );
  if (near.length === 0) return;
  await lockAskers(tx, companyId, asked, near);
  refuseTooMany(await countAskedCharges(tx, companyId, asked, limits));
}

/** More than begin in the same moment. */
const NEAR = 50;

/**
 * How far below its limit a count has to be looked at more closely. The company's lock does not hold up other companies, whose charges from
 * this address or to this card may begin in the same moment.
 */
const SCOPES: readonly { scope: Count['scope']; limitOf: (limits: RefusalLimits) => number; near: number }[] = [
  { scope: 'invoice', limitOf: ({ ofInvoice }) => ofInvoice, near: 0 },
  { scope: 'company', limitOf: ({ ofCompany }) => ofCompany, near: 0 },
  { scope: 'address', limitOf: ({ ofAddress }) => ofAddress, near: NEAR },
  { scope: 'card', limitOf: ({ ofCard }) => ofCard, near: NEAR },
];

function refuseTooMany(counts: readonly Count[]): void {
  const refused = counts.find(({ secondsLeft }) => secondsLeft !== null);
  if (refused !== undefined) throw new TooManyRefused(refused);
  if (counts.some(({ taken, limit }) => taken >= limit)) throw new TooManyOpen();
}

/**
 * Begins a charge as soon as it is admitted. @throws ApiError card_testing_suspected, of which the operator is told; payment_in_progress
 * when those before it have had no outcome for twenty seconds
 */
export async function untilAdmitted<T>(db: Db, begin: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      if (error instanceof TooManyRefused) return refuse(db, error.count);
      if (!(error instanceof TooManyOpen)) throw error;
      if (performance.now() > deadlineMs) {
        const message = 'Too many other charges have no outcome yet.';
        throw new ApiError('payment_in_progress', message, { retryAfterSeconds: 5 });
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

const WHAT: Record<Count['scope'], string> = {
  invoice: 'of one invoice',
  company: 'of one company',
  address: 'from one address',
  card: 'to one card',
};

async function refuse(db: Db, { scope, limit, secondsLeft, newest }: Count): Promise<never> {
  if (newest !== null) await alert(db, newest, `${limit} charges ${WHAT[scope]} were refused within an hour.`);
  throw new ApiError('card_testing_suspected', `Too many charges ${WHAT[scope]} were refused. Try again later.`, {
    retryAfterSeconds: Math.max(1, secondsLeft ?? 1),
  });
}

/** Once an hour for each company, whose lock keeps those who are refused at the same time from telling of it twice. */
async function alert(db: Db, { companyId, paymentId }: NonNullable<Count['newest']>, what: string): Promise<void> {
  const message = `${what} Somebody may be trying cards that are not theirs: further ones are refused for now.`;
  await transaction(db, async (tx) => {
    await lockCompany(tx, companyId);
    const { kind, id } = { kind: 'card_testing_suspected' as const, id: uuidv7() };
    await insertAlertUnlessRecent(tx, companyId, { id, kind, paymentId, message }, ALERT_REPEAT_SECONDS);
  });
}
