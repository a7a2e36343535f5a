/**
 * Reads the fees and the payouts of a gateway into the books. Whatever is read again has no second effect, so that looks may overlap, be
 * repeated after a kill, and run in several processes at once.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { GatewayBalance, GatewayPayout } from '../../gateways/gateway/gateway.books.ts';
import { readPageByPage, readPages } from '../../gateways/gateway/gateway.objects.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { insertFees, insertPayout, markPayoutFailed, selectKnownPayouts, sumOfOurs } from './balance.worker.queries.ts';
import { claimLook, endLook, type Look } from './looks.worker.queries.ts';

const EVERY_MS = 2_000;
/** How much of an account's history one look reads at most. */
const WINDOW_MS = 86_400_000;
/** How far a look goes back behind the one before: a movement may be listed a little after its time, and clocks differ. */
const OVERLAP_MS = 120_000;
const CLOCK_TOLERANCE_MS = 3_600_000;
/** How long after its creation the bank may still refuse a payout. */
const PAYOUT_AGE_MS = 30 * 86_400_000;

type Dependencies = { db: Db; gateways: Gateways };
/** A gateway whose fees and payouts can be read. */
export type BalancedGateway = Pick<Gateway, 'name'> & Omit<GatewayBalance, 'findMovement' | 'findPayout'>;

/** Looks in the background. A gateway that gives no answer is asked again a minute later. */
export function startLooking(dependencies: Dependencies, log: FastifyBaseLogger): Worker {
  return repeatRounds({
    find: async () => balancedOf(dependencies.gateways).map(({ name }) => name),
    work: async (name, signal) => {
      while (!signal.aborted && (await lookAt(dependencies, name)));
    },
    logFailure: (error) => log.error({ err: error }, 'the fees and payouts of a gateway could not be booked'),
    everyMs: EVERY_MS,
  });
}

function balancedOf({ configured }: Gateways): BalancedGateway[] {
  return configured.flatMap((gateway) => toBalanced(gateway) ?? []);
}

/** The gateway, if it shows its balance. */
export function toBalanced(gateway: Gateway): BalancedGateway | null {
  const { name, listMovements, listMovementsOfPayout, listPayouts } = gateway;
  if (listMovements === undefined || listMovementsOfPayout === undefined || listPayouts === undefined) return null;
  return { name, listMovements, listMovementsOfPayout, listPayouts };
}

/** Reads a gateway's balance, if that is due. @returns whether the next look is due at once */
export async function lookAt({ db, gateways }: Dependencies, name: string): Promise<boolean> {
  const gateway = balancedOf(gateways).find((one) => one.name === name);
  const look = gateway === undefined ? null : await claimLook(db, name);
  if (gateway === undefined || look === null) return false;
  try {
    return await read(db, gateway, look);
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

async function read(db: Db, gateway: BalancedGateway, look: Look): Promise<boolean> {
  const now = Date.now();
  const from = look.from.getTime() - OVERLAP_MS;
  const isBehind = from + WINDOW_MS < now;
  const to = new Date(isBehind ? from + WINDOW_MS : now + CLOCK_TOLERANCE_MS);
  const movements = readPageByPage((cursor) => gateway.listMovements({ from: new Date(from), to, cursor }));
  for await (const page of movements) await insertFees(db, gateway.name, page);
  const payouts = readPages((request) => gateway.listPayouts(request), { from: new Date(from - PAYOUT_AGE_MS), to });
  for await (const payout of payouts) await bookPayout(db, gateway, payout);
  await endLook(db, look, { lookedUpTo: isBehind ? to : new Date(now), isBehind });
  return isBehind;
}

/** Books a payout that is new, or that has failed since. */
async function bookPayout(db: Db, gateway: BalancedGateway, payout: GatewayPayout): Promise<void> {
  if (payout.status === 'pending') return;
  const [known] = await selectKnownPayouts(db, gateway.name, [payout.id]);
  if (known === undefined) {
    const amountMinor = await readOurPart(db, gateway, payout);
    await insertPayout(db, gateway.name, {
      ...payout,
      status: payout.status,
      amountMinor,
      totalMinor: payout.amountMinor,
    });
  } else if (payout.status === 'failed' && known.state === 'paid') await markPayoutFailed(db, gateway.name, payout.id);
}

/**
 * What of a payout comes from payments in the books, with their refunds, disputes and fees: the account may be shared. A payout whose
 * movements the gateway does not tell counts as a whole.
 */
async function readOurPart(db: Db, gateway: BalancedGateway, payout: GatewayPayout): Promise<bigint> {
  if (!payout.isDivided) return payout.amountMinor;
  let ours = 0n;
  let isEmpty = true;
  for await (const page of readPageByPage((cursor) => gateway.listMovementsOfPayout(payout.id, cursor))) {
    await insertFees(db, gateway.name, page);
    ours += await sumOfOurs(db, gateway.name, page);
    isEmpty &&= page.length === 0;
  }
  return isEmpty ? payout.amountMinor : ours;
}
