/** Requests that the gateway keeps until a test lets it go on. */
import type { GatewayOperation } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { eventually } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';

/** Longer than any test waits. */
export const NEVER_MS = 600_000;

export type Delayed = {
  /** Resolves once the request is at the gateway, where it has no effect and gets no answer. */
  arrived: () => Promise<void>;
  /** Lets the gateway go on with it as soon as it is there. */
  end: () => Promise<void>;
};

/** Delays the next request of this operation. */
export async function delayNext(
  { sandbox }: Pick<TestService, 'sandbox'>,
  operation: GatewayOperation,
): Promise<Delayed> {
  const { calls } = await sandbox.readFaults();
  const arrived = () => arrivedMore(sandbox, operation, calls[operation]);
  await sandbox.armFault({ operation, kind: 'latency', delayMs: NEVER_MS });
  return {
    arrived,
    end: async () => {
      await arrived();
      await sandbox.endDelays();
    },
  };
}

async function arrivedMore(
  sandbox: TestService['sandbox'],
  operation: GatewayOperation,
  before: number,
): Promise<void> {
  await eventually(
    async () => (await sandbox.readFaults()).calls[operation] > before,
    () => `a ${operation} at the gateway`,
  );
}

/** Waits until somebody waits for the outcome of a payment that another one has begun. They read it again and again. */
export async function outcomeIsAwaited({
  database: { owner },
}: {
  database: Pick<TestService['database'], 'owner'>;
}): Promise<void> {
  const [before] = await owner<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  const isRead = async () => {
    const reads = await owner`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND query_start > ${before.now}
        AND query LIKE '%FROM payments WHERE company_id = $1 AND id = $2'`;
    return reads.length > 0;
  };
  await eventually(isRead, () => 'somebody who waits for the outcome of a payment');
}
