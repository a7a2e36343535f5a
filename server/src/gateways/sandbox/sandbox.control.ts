/** Lets a test arm faults in a running sandbox gateway and read its ledger. */
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LedgerRows } from './bank/bank.queries.ts';
import type { Fault } from './bank/bank.schema.ts';
import type { FaultReport } from './server/routes.ts';

export type SandboxControl = {
  armFault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Answers what a `latency` delays, and carries out what `executes_late` delays, now. Later requests are delayed as before. */
  endDelays(): Promise<void>;
  /** Reads the calls of each operation since the start, the pending effects, and each fault with its hits. */
  readFaults(): Promise<FaultReport>;
  /** Reads everything that the gateway has done, which the invariants of charges compare with the books. */
  readLedger(): Promise<LedgerRows>;
  /** Deletes the idempotency keys, as real gateways do after some hours. */
  forgetIdempotencyKeys(): Promise<void>;
};

/** Creates the control. Its functions reject if the gateway does not answer with 200. */
export function createSandboxControl({ baseUrl, secret }: { baseUrl: string; secret: string }): SandboxControl {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers: { authorization: `Bearer ${secret}` }, agent: false };
      const outgoing = request(new URL(path, baseUrl), options, resolve).once('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
    const answer = await text(response);
    if (response.statusCode !== 200)
      throw new Error(`The sandbox gateway answered ${method} ${path} with ${response.statusCode}.`);
    return JSON.parse(answer, reviveAmounts);
  }
  return {
    async armFault(fault) {
      await call('POST', '/test/faults', fault);
    },
    async clearFaults() {
      await call('DELETE', '/test/faults');
    },
    async endDelays() {
      await call('DELETE', '/test/delays');
    },
    async readFaults() {
      return (await call('GET', '/test/faults')) as FaultReport;
    },
    async readLedger() {
      return (await call('GET', '/test/ledger')) as LedgerRows;
    },
    async forgetIdempotencyKeys() {
      await call('DELETE', '/test/idempotency-keys');
    },
  };
}

function reviveAmounts(this: object, key: string, value: unknown): unknown {
  // An object with a kind is a fault, whose amount stays a string, as it was armed.
  return key === 'amountMinor' && typeof value === 'string' && !('kind' in this) ? BigInt(value) : value;
}
