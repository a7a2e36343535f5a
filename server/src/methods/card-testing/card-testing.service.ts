import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { insertAlertUnlessRecent } from '../../alerts/alerts.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import {
  type Count,
  type CountedRequest,
  countRecentRequests,
  deleteCountedRequest,
  insertCountedRequest,
  lockRequesters,
  markRefused,
} from './card-testing.queries.ts';

/** Who makes a request: the network of a person's client (see `clientNetwork`), and how many of its requests may be declined. */
export type Requester = { network: string; limits: RefusalLimits };

/** How long a request waits for others whose outcome decides whether it may begin. */
const ADMISSION_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 100;
const ALERT_REPEAT_SECONDS = 3_600;

class TooManyRefused extends Error {
  readonly count: Count;

  constructor(count: Count) {
    super(`too much of this ${count.scope} was refused`);
    this.count = count;
  }
}
class TooManyOpen extends Error {}

/**
 * Lets a person's request begin while fewer than the limits were declined in the last hour. A request without an outcome counts as
 * declined, so that simultaneous requests cannot exceed the limits. The caller has locked the company.
 * @throws what `runWhenAdmitted` waits for and answers
 */
export async function admit(
  tx: Tx,
  companyId: string,
  request: Omit<CountedRequest, 'network'>,
  { network, limits }: Requester,
): Promise<void> {
  const counted = { ...request, network };
  const taken = await insertCountedRequest(tx, companyId, counted);
  const isNearLimit = ({ scope, limitOf, lockMargin }: (typeof SCOPES)[number]) =>
    limitOf(limits) - taken[scope] <= lockMargin;
  const scopes = SCOPES.filter(isNearLimit).map(({ scope }) => scope);
  if (scopes.length === 0) return;
  await lockRequesters(tx, companyId, counted, scopes);
  refuseTooMany(await countRecentRequests(tx, companyId, counted, limits));
}

/** Refuses a person's request past the limits, before something ends for it. It counts nothing. @throws as `admit` */
export async function refuseIfLimited(
  tx: Tx,
  companyId: string,
  request: Omit<CountedRequest, 'network'>,
  { network, limits }: Requester,
): Promise<void> {
  refuseTooMany(await countRecentRequests(tx, companyId, { ...request, network }, limits));
}

/**
 * Has a gateway save a card or an account within the limits; one that it declines counts.
 * @throws ApiError card_testing_suspected, payment_in_progress; whatever `save` throws
 */
export async function saveWithinLimits<T>(
  db: Db,
  companyId: string,
  { fingerprint, gateway, requester }: { fingerprint: Uint8Array | null; gateway: string; requester: Requester },
  save: () => Promise<T>,
): Promise<T> {
  const id = uuidv7();
  await runWhenAdmitted(db, () =>
    transaction(db, async (tx) => {
      await lockCompany(tx, companyId);
      await admit(tx, companyId, { id, invoiceId: null, cardId: null, fingerprint, gateway }, requester);
    }),
  );
  try {
    const saved = await save();
    await deleteCountedRequest(db, companyId, id);
    return saved;
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.kind === 'rejected';
    await (isRefused ? markRefused : deleteCountedRequest)(db, companyId, id);
    throw error;
  }
}

/** More requests than begin at the same moment. */
const LOCK_MARGIN = 50;

/**
 * How far below its limit a count needs a lock of its own. The company's lock does not stop other companies, whose charges from this
 * address or of this card may begin at the same moment.
 */
const SCOPES: readonly { scope: Count['scope']; limitOf: (limits: RefusalLimits) => number; lockMargin: number }[] = [
  { scope: 'invoice', limitOf: ({ ofInvoice }) => ofInvoice, lockMargin: 0 },
  { scope: 'company', limitOf: ({ ofCompany }) => ofCompany, lockMargin: 0 },
  { scope: 'address', limitOf: ({ ofAddress }) => ofAddress, lockMargin: LOCK_MARGIN },
  { scope: 'card', limitOf: ({ ofCard }) => ofCard, lockMargin: LOCK_MARGIN },
];

function refuseTooMany(counts: readonly Count[]): void {
  const refused = counts.find(({ secondsLeft }) => secondsLeft !== null);
  if (refused !== undefined) throw new TooManyRefused(refused);
  if (counts.some(({ taken, limit }) => taken >= limit)) throw new TooManyOpen();
}

/**
 * Begins a request as soon as it is admitted.
 * @throws ApiError card_testing_suspected, with an alert for the operator; payment_in_progress when the requests before it have had no
 * outcome for twenty seconds
 */
export async function runWhenAdmitted<T>(db: Db, begin: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + ADMISSION_TIMEOUT_MS;
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      if (error instanceof TooManyRefused) return refuse(db, error.count);
      if (!(error instanceof TooManyOpen)) throw error;
      if (performance.now() > deadlineMs) {
        const message = 'Too many other charges have no outcome yet. Try again later.';
        throw new ApiError('payment_in_progress', message, { retryAfterSeconds: 5 });
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

const WHAT: Record<Count['scope'], string> = {
  invoice: 'charges of one invoice',
  company: 'charges and new cards of one company',
  address: 'charges and new cards from one address',
  card: 'charges of one card, or attempts to save it,',
};

async function refuse(db: Db, { scope, limit, secondsLeft, newest }: Count): Promise<never> {
  if (newest !== null) await alertCardTesting(db, newest, `${limit} ${WHAT[scope]} were refused within an hour.`);
  throw new ApiError('card_testing_suspected', `Too many ${WHAT[scope]} were refused. Try again later.`, {
    retryAfterSeconds: Math.max(1, secondsLeft ?? 1),
  });
}

/** Raises an alert, once an hour for each company. The company's lock prevents two alerts from simultaneous requests. */
export async function alertCardTesting(
  db: Db,
  { companyId, payment }: NonNullable<Count['newest']>,
  what: string,
): Promise<void> {
  const message = `${what} Somebody may be testing stolen cards. Paydesk refuses further attempts for now.`;
  await transaction(db, async (tx) => {
    await lockCompany(tx, companyId);
    const alert = { kind: 'card_testing_suspected' as const, payment, message };
    await insertAlertUnlessRecent(tx, companyId, alert, ALERT_REPEAT_SECONDS);
  });
}
