/** Keeps the faults that a test has armed, in the memory of this process. */

import type { Fault, FaultKind, GatewayOperation } from '../bank/bank.schema.ts';
import type { FaultBehavior } from '../bank/charges.ts';
import { LedgerRefusal } from '../bank/charges.ts';

/** `remaining` is the number of calls that the fault will still strike (null: until cleared), `hits` the number that it struck. */
export type ArmedFault = Fault & { remaining: number | null; hits: number };

/** The faults that apply to one call: a delay first, and at most one other fault. */
export type CallFaults = { latencyMs: number; fault: Fault | null };

export type Faults = {
  /** Throws for a fault that could never strike. */
  arm(fault: Fault): ArmedFault;
  clear(): void;
  /** Lists all faults since the last clearing, also those that are used up. */
  list(): ArmedFault[];
  /** Takes the faults that strike this call, and counts a hit for each: an outage before all others, then the earliest armed. */
  take(operation: GatewayOperation): CallFaults;
};

/** The kinds that apply only to some operations. */
const operationsOf: Partial<Record<FaultKind, readonly GatewayOperation[]>> = {
  cached_server_error: ['create', 'confirm', 'refund'],
  declined: ['confirm'],
  captures_another_amount: ['confirm'],
  captures_another_currency: ['confirm'],
};

/** Creates a store without faults. */
export function createFaults(): Faults {
  let armed: ArmedFault[] = [];

  function use(operation: GatewayOperation, fits: (kind: FaultKind) => boolean): Fault | null {
    const fault = armed.find((candidate) => fits(candidate.kind) && appliesTo(candidate, operation));
    if (!fault) return null;
    fault.hits += 1;
    if (fault.remaining !== null) fault.remaining -= 1;
    return fault;
  }

  return {
    arm(fault) {
      refuseUseless(fault);
      const times = fault.times === undefined ? (fault.kind === 'outage' ? null : 1) : fault.times;
      const entry = { ...fault, remaining: times, hits: 0 };
      armed.push(entry);
      return entry;
    },
    clear() {
      armed = [];
    },
    list: () => armed,
    take(operation) {
      const outage = use(operation, (kind) => kind === 'outage');
      if (outage) return { latencyMs: 0, fault: outage };
      const latency = use(operation, (kind) => kind === 'latency');
      return { latencyMs: latency?.delayMs ?? 0, fault: use(operation, (kind) => kind !== 'latency') };
    },
  };
}

/** Returns what the ledger must do wrong when this fault applies. */
export function behaviorOf(fault: Fault | null): FaultBehavior {
  switch (fault?.kind) {
    case 'cached_server_error':
      return { storesServerError: true };
    case 'declined':
      return { changeDecision: () => ({ declineCode: fault.declineCode ?? 'generic_decline' }) };
    case 'captures_another_amount':
      return {
        changeDecision: (honest) => {
          if ('declineCode' in honest) return honest;
          return { ...honest, amountMinor: fault.amountMinor ? BigInt(fault.amountMinor) : honest.amountMinor + 1n };
        },
      };
    case 'captures_another_currency':
      return {
        changeDecision: (honest) => {
          if ('declineCode' in honest) return honest;
          return { ...honest, currency: fault.currency ?? (honest.currency === 'EUR' ? 'USD' : 'EUR') };
        },
      };
    default:
      return {};
  }
}

function appliesTo(fault: ArmedFault, operation: GatewayOperation): boolean {
  if (fault.remaining === 0) return false;
  if (fault.operation !== 'any' && fault.operation !== operation) return false;
  return operationsOf[fault.kind]?.includes(operation) ?? true;
}

function refuseUseless(fault: Fault): void {
  const operations = operationsOf[fault.kind];
  const appliesToNothing = fault.operation !== 'any' && operations && !operations.includes(fault.operation);
  const needsDelay = fault.kind === 'latency' || fault.kind === 'executes_late';
  if (appliesToNothing || (needsDelay && fault.delayMs === undefined)) throw new LedgerRefusal(422, 'fault_useless');
}
