import {
  type Db,
  databaseErrorCode,
  isDatabaseUnavailable,
  sideBySide,
  transaction,
} from '../../../platform/database/database.ts';
import { timeoutFactorOf } from '../../../platform/database/pool.ts';
import { ApiError } from '../../../platform/errors.ts';
import { NO_COMPANY } from '../../../platform/http/company-ids/company-id.ts';
import type { Json } from '../../../platform/http/schema/json.ts';
import { boundWaits } from './ingest.operator.queries.ts';
import type { IngestionResult } from './ingest.schema.ts';
import { type IngestContext, ingestUsageEvent, storeInTime, type UsageRead } from './ingest.ts';
import { type Refusal, toAnswerOfOne, UNKNOWN_COMPANY } from './outcomes.ts';

/** As many as a batch has. */
const MOST_AT_ONCE = 1_000;
/** Those of other companies wait no longer for a transaction that is about to store one of the events. */
const LONGEST_LOCK_WAIT_MS = 100;
/** A timeout of a statement, or of a lock that it waited for: it was undone. */
const TIMEOUT_CODES = new Set<string | undefined>(['57014', '55P03']);

type Answer = Json<typeof IngestionResult>;
type Waiting = {
  read: UsageRead;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (error: unknown) => void;
};

/**
 * Stores events that come one by one in few transactions: those that come while others are written are written next. The first one waits
 * for nothing. Each has the answer that it would have alone, once it is committed. When the transaction of several fails, each is tried
 * alone.
 */
export function ingestTogether(db: Db, contextNow: () => IngestContext): (read: UsageRead) => Promise<Answer> {
  let waiting: Waiting[] = [];
  let isWriting = false;
  const ingestAlone = (read: UsageRead) => transaction(db, (tx) => ingestUsageEvent(tx, read, contextNow()));

  const write = async (group: readonly Waiting[]) => {
    try {
      const refusals = await store(db, group, contextNow());
      for (const [index, { read, resolve }] of group.entries()) {
        resolve(isOfLostCompany(read, refusals.get(index)) ? ingestAlone(read) : answer(read, refusals.get(index)));
      }
    } catch (error) {
      for (const { read, resolve, reject } of group) isUndone(error) ? resolve(ingestAlone(read)) : reject(error);
    }
  };
  const writeAll = async () => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await write(group);
    }
    isWriting = false;
  };
  return (read) => {
    if (!isShareable(read)) return ingestAlone(read);
    return new Promise((resolve, reject) => {
      waiting.push({ read, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Those that came at the same moment are read by then.
      setImmediate(writeAll);
    });
  };
}

/** Usage that waits for its company locks what companies need that get an external id. */
function isShareable({ wellFormed }: UsageRead): boolean {
  return wellFormed[0] !== undefined && wellFormed[0].companyId !== NO_COMPANY;
}

/** @returns the refusals, by the index in the group */
async function store(db: Db, group: readonly Waiting[], context: IngestContext): Promise<Map<number, Refusal>> {
  const events = group.flatMap(({ read }, index) => read.wellFormed.map((event) => ({ ...event, index })));
  const refused = await transaction(db, async (tx) => {
    const bounding = boundWaits(tx, LONGEST_LOCK_WAIT_MS * timeoutFactorOf(db));
    return (await sideBySide([bounding, storeInTime(tx, events, context)]))[1];
  });
  return new Map(refused);
}

/** Its external id is known here, and nowhere in the database, which went back. */
function isOfLostCompany({ wellFormed }: UsageRead, refusal: Refusal | undefined): boolean {
  return refusal === UNKNOWN_COMPANY && wellFormed[0]?.externalId !== null;
}

async function answer({ ids }: UsageRead, refusal: Refusal | undefined): Promise<Answer> {
  const refusals = new Map(refusal === undefined ? [] : [[0, refusal]]);
  return toAnswerOfOne(ids, { refusals, unattributed: new Set() });
}

/** Whether a transaction that failed is known to have left nothing. */
function isUndone(error: unknown): boolean {
  if (error instanceof ApiError) return false;
  return !isDatabaseUnavailable(error) || TIMEOUT_CODES.has(databaseErrorCode(error));
}
