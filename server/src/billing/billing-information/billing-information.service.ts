import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type Queryable, sideBySide, type Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { writeList } from '../../platform/http/limits/batches.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import { jsonNumber } from '../../platform/money/decimal.ts';
import { fromMinor } from '../../platform/money/money.ts';
import { billingInformationEvents } from './billing-information.events.ts';
import {
  type BillingInformationRow,
  insertBillingInformationChange,
  selectBillingInformation,
  selectBillingInformationChangeIds,
  selectBillingInformationChanges,
  updateBillingInformation,
} from './billing-information.queries.ts';
import type {
  BillingInformation,
  BillingInformationBody,
  BillingInformationChangeList,
  BillingInformationChangeQuery,
} from './billing-information.schema.ts';

/**
 * The company's billing information as JSON text, which PostgreSQL writes in a fraction of the time that Node.js needs.
 */
export async function readBillingInformation(
  db: Queryable,
  companyId: string,
): Promise<Json<typeof BillingInformation>> {
  return write(await selectBillingInformation(db, companyId));
}

function write(row: BillingInformationRow | null): Json<typeof BillingInformation> {
  if (row === null) throw notFound('billing information');
  const credit = inStoreCredit(row.creditMinor, row.creditCurrency);
  return `{"inStoreCredit":${credit},"postalCode":${postalCode(row.zipCode)},${row.json.slice(1)}` as Json<
    typeof BillingInformation
  >;
}

/**
 * Writes the given fields and returns the whole record as JSON text. It holds the company's lock, as the issuing of an
 * invoice does, so that an invoice's tax and document come from the same record.
 */
export async function changeBillingInformation(
  tx: Tx,
  companyId: string,
  body: BillingInformationBody,
): Promise<Json<typeof BillingInformation>> {
  const [, row] = await sideBySide([lockCompany(tx, companyId), updateBillingInformation(tx, companyId, body)]);
  const information = write(row);
  await billingInformationEvents.record(tx, companyId, {
    type: 'billing_information.updated',
    data: JSON.parse(information),
  });
  return information;
}

/** Does the same for the operator, and records the values before and after. @throws ApiError not_found */
export async function correctBillingInformation(
  tx: Tx,
  companyId: string,
  body: BillingInformationBody,
): Promise<Json<typeof BillingInformation>> {
  await lockCompany(tx, companyId);
  const before = JSON.parse(await readBillingInformation(tx, companyId)) as Record<string, unknown>;
  const changed = Object.entries(body).filter(([field, value]) => value !== undefined && before[field] !== value);
  if (changed.length > 0) {
    await insertBillingInformationChange(tx, companyId, {
      id: uuidv7(),
      changedBy: 'operator',
      before: Object.fromEntries(changed.map(([field]) => [field, before[field]])),
      after: Object.fromEntries(changed),
    });
  }
  return changeBillingInformation(tx, companyId, body);
}

/** The operator's corrections, newest first, as JSON text. @throws ApiError not_found */
export async function listBillingInformationChanges(
  db: Queryable,
  companyId: string,
  { page, perPage }: BillingInformationChangeQuery,
): Promise<Json<typeof BillingInformationChangeList> | JsonParts<typeof BillingInformationChangeList>> {
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const found = await selectBillingInformationChangeIds(db, companyId, range);
  if (found === null) throw notFound('company');
  const { total, ids } = found;
  const readItems = (some: readonly string[]) => selectBillingInformationChanges(db, companyId, some);
  return writeList({
    head: { total: Number(total), page, perPage },
    limit: perPage,
    readFirst: (limit) => readItems(ids.slice(0, limit)),
    readIds: async () => ids,
    readItems,
    write: ({ json }) => json,
  });
}

/** In major units. Grants are bounded so that a JSON number represents the credit exactly. */
function inStoreCredit(creditMinor: string | null, currency: string | null): string {
  return creditMinor === null || currency === null ? '0' : jsonNumber(fromMinor(BigInt(creditMinor), currency));
}

/** The zip code as a number if it is all digits and a number represents it exactly, else null. */
function postalCode(zipCode: string): number | null {
  const number = /^\d+$/.test(zipCode) ? Number(zipCode) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
