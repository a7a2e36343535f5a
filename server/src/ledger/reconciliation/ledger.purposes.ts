import { validate as isUuid } from 'uuid';
import type { GatewayPaymentObject } from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectInvoicesOf } from './ledger.reconciliation.operator.queries.ts';
import type { Purpose } from './ledger.reconciliation.schema.ts';

/**
 * Looks up the invoices of captures that are not in the books.
 * @returns a function that says what a capture was made for; null for one that Paydesk did not make
 */
export async function readPurposes(
  db: Queryable,
  captures: readonly GatewayPaymentObject[],
): Promise<(capture: GatewayPaymentObject) => Purpose | null> {
  const ours = captures.filter(isOurs);
  if (ours.length === 0) return () => null;
  const ids = ours.flatMap(({ details }) => (isUuid(details.invoiceId) ? [details.invoiceId] : []));
  const debts = ours.flatMap(({ debt }) => (companyOf(debt) === null ? [] : [debt]));
  const invoices = await selectInvoicesOf(db, { ids: JSON.stringify(ids), debts: JSON.stringify(debts) });
  return (capture) => {
    if (!ours.includes(capture)) return null;
    const { debt, details } = capture;
    const invoiceId = details.invoiceId ?? null;
    const found = invoices.find((invoice) => invoice.id === invoiceId || (debt !== null && invoice.debt === debt));
    return {
      debt,
      companyId: found?.companyId ?? companyOf(debt),
      invoiceId: found?.id ?? invoiceId,
      invoiceNumber: details.invoiceNumber ?? null,
      isInvoiceHere: found !== undefined,
    };
  };
}

/** Whether the capture names our payment's id, with a debt or an invoice. */
function isOurs({ reference, debt, details }: GatewayPaymentObject): boolean {
  return isUuid(reference) && (companyOf(debt) !== null || isUuid(details.invoiceId));
}

function companyOf(debt: string | null): string | null {
  const company = /^(?:usage|ref):([^:]+):/.exec(debt ?? '')?.[1];
  return isUuid(company) ? (company ?? null) : null;
}
