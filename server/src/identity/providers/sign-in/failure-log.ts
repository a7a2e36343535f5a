import { recordAudit } from '../../../audit/audit.service.ts';
import { repeatEvery } from '../../../platform/background/background.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/http/route/actor.ts';
import type { Provider } from '../setup/providers.service.ts';
import type { FailureCode, SignInFailure } from './failures.ts';

/** How many failures of a provider for one reason have an entry each within an hour. */
const OWN_ENTRIES = 100;
const HOUR_MS = 3_600_000;
const SHARED_ENTRY_MS = 60_000;

type FailedProvider = Pick<Provider, 'name' | 'companyId'>;

/** The failures of a provider for one reason within an hour. */
type Count = {
  provider: FailedProvider;
  code: FailureCode;
  beganAtMs: number;
  total: number;
  /** Those without an entry, and the client of the last one. */
  waiting: number;
  actor: Actor;
};

export type FailureLog = {
  /** Records a sign-in that failed: in the log of the provider's company, or else in the operator's. */
  record: (provider: FailedProvider, failure: SignInFailure, actor: Actor) => Promise<void>;
  /** Writes what waits. */
  close: () => Promise<void>;
};

/**
 * Keeps strangers from filling the audit log, since anybody can let a sign-in fail: once a provider has had a hundred failures for one
 * reason within an hour, the next ones share an entry a minute, which says how many there were. Each process counts by itself.
 */
export function createFailureLog(db: Db, logFailure: (error: unknown) => void): FailureLog {
  const counts = new Map<string, Count>();
  const writeWaiting = async () => {
    for (const [key, count] of counts) {
      const { waiting } = count;
      if (waiting > 0) {
        await writeEntry(db, count, { failures: waiting });
        count.waiting -= waiting;
      }
      if (count.waiting === 0 && hasEnded(count)) counts.delete(key);
    }
  };
  const worker = repeatEvery({
    ...{ work: writeWaiting, logFailure },
    ...{ everyMs: SHARED_ENTRY_MS, firstAfterMs: SHARED_ENTRY_MS },
  });
  return {
    record: async ({ name, companyId }, { code }, actor) => {
      const key = `${companyId} ${name} ${code}`;
      const known = counts.get(key);
      const provider = { name, companyId };
      const isNew = known === undefined || (hasEnded(known) && known.waiting === 0);
      const count = isNew ? { provider, code, beganAtMs: performance.now(), total: 0, waiting: 0, actor } : known;
      counts.set(key, count);
      count.total += 1;
      if (count.total <= OWN_ENTRIES) return writeEntry(db, { provider, code, actor });
      count.waiting += 1;
      count.actor = actor;
    },
    close: async () => {
      await worker.stop();
      await writeWaiting().catch(logFailure);
    },
  };
}

function hasEnded({ beganAtMs }: Count): boolean {
  return performance.now() - beganAtMs >= HOUR_MS;
}

async function writeEntry(
  db: Db,
  { provider: { name, companyId }, code, actor }: Pick<Count, 'provider' | 'code' | 'actor'>,
  shared: { failures?: number } = {},
): Promise<void> {
  const target = { kind: 'sign_in_provider', id: name, name };
  const changes = { before: {}, after: { reason: code, ...shared } };
  await recordAudit(db, companyId, { audience: 'company', actor, action: 'login.failed', target, changes });
}
