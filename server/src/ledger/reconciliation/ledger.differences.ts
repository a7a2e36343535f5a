import { formatAmount } from '../../platform/money/money.ts';
import type { BookedRow } from './ledger.reconciliation.operator.queries.ts';
import type { Difference } from './ledger.reconciliation.schema.ts';

/** An object at the gateway, of any kind; `done` is its state in the words of the API. */
export type Entry = {
  gatewayId: string;
  /** Null for a payout. */
  gatewayPaymentId: string | null;
  amountMinor: bigint;
  currency: string;
  done: string;
};

/** How the gateway's entry differs from ours; empty when it does not. */
export function compare(entry: Difference['entry'], there: Entry, our: BookedRow | undefined): Difference[] {
  if (our === undefined) return [describe('missing_here', entry, { there })];
  const isSame = BigInt(our.amountMinor) === there.amountMinor && our.currency === there.currency;
  if (!isSame) return [describe('amount', entry, { there, our })];
  return our.state === there.done ? [] : [describe('state', entry, { there, our })];
}

/** The difference in the shape of the API; a side that has no entry is left out. */
export function describe(
  kind: Difference['kind'],
  entry: Difference['entry'],
  { there, our }: { there?: Entry; our?: BookedRow },
): Difference {
  return {
    kind,
    entry,
    gatewayId: there?.gatewayId ?? our?.gatewayId ?? null,
    gatewayPaymentId: there?.gatewayPaymentId ?? our?.gatewayPaymentId ?? null,
    id: our?.id ?? null,
    companyId: our?.companyId ?? null,
    invoiceId: our?.invoiceId ?? null,
    here: our === undefined ? null : side(BigInt(our.amountMinor), our.currency, our.state),
    there: there === undefined ? null : side(there.amountMinor, there.currency, there.done),
    purpose: null,
  };
}

function side(amountMinor: bigint, currency: string, status: string) {
  return { amount: formatAmount(amountMinor, currency), currency, status };
}
