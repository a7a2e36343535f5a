import type { TString } from 'typebox';
import type { Gateways } from '../gateways/gateways.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { writeCsvFile } from '../platform/http/limits/csv-file.ts';
import { writeCsv } from '../platform/http/schema/csv.ts';
import type { JsonParts } from '../platform/http/schema/json.ts';
import type { BalancesQuery } from './ledger.schema.ts';
import { readBalances } from './ledger.service.ts';
import type {
  Difference,
  Reconciliation,
  ReconciliationFileQuery,
} from './reconciliation/ledger.reconciliation.schema.ts';
import { reconcile } from './reconciliation/ledger.reconciliation.ts';

/** The balance of each account in each currency as a CSV file, with debit and credit in separate columns. @throws ApiError 400 */
export async function writeBalances(db: Queryable, query: BalancesQuery): Promise<Uint8Array> {
  const { data } = await readBalances(db, query);
  // Spreadsheets would take a cell that begins with a minus for a formula.
  const rows = data.map(({ account, currency, balance }) =>
    balance.startsWith('-') ? [account, currency, '', balance.slice(1)] : [account, currency, balance, ''],
  );
  return writeCsv([['account', 'currency', 'debit', 'credit'], ...rows]);
}

const COLUMNS = [
  ...['kind', 'entry', 'gateway', 'gatewayId', 'gatewayPaymentId', 'id', 'companyId', 'companyExternalId', 'invoiceId'],
  ...['hereAmount', 'hereCurrency', 'hereStatus', 'thereAmount', 'thereCurrency', 'thereStatus'],
];

/**
 * All differences of a period as a CSV file in parts, compared as the client takes them. @throws ApiError as `reconcile` of the first page,
 * before anything is sent
 */
export async function writeDifferences(
  db: Queryable,
  gateways: Gateways,
  { query, now, externalIds }: { query: ReconciliationFileQuery; now: Date; externalIds: ExternalIds },
): Promise<JsonParts<TString>> {
  const first = await reconcile(db, gateways, query, now);
  const { from, to, gateway } = first;
  let page: Reconciliation | null = first;
  const readNext = async () => {
    while (page !== null) {
      const { differences, nextCursor: cursor }: Reconciliation = page;
      page = cursor === null ? null : await reconcile(db, gateways, { gateway, from, to, cursor }, now);
      if (differences.length > 0) return differences.map((difference) => toRow(gateway, difference));
    }
    return [];
  };
  return writeCsvFile({ columns: COLUMNS, readAfter: readNext, externalIds });
}

function toRow(gateway: string, { here, there, purpose: _purpose, ...difference }: Difference) {
  return {
    ...{ ...difference, gateway },
    ...{ hereAmount: here?.amount ?? null, hereCurrency: here?.currency ?? null, hereStatus: here?.status ?? null },
    ...{
      thereAmount: there?.amount ?? null,
      thereCurrency: there?.currency ?? null,
      thereStatus: there?.status ?? null,
    },
  };
}
