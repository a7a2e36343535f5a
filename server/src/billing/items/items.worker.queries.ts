import type { Queryable, Tx } from '../../platform/database/database.ts';

/** What an invoice says of an item. Amounts in major units; `taxRate` in percent, null for the rate that the invoice's own usage bears. */
export type BillableItem = {
  companyId: string;
  id: string;
  title: string;
  amount: string;
  unitAmount: string;
  quantity: number;
  currency: string;
  taxRate: string | null;
};

/** The columns of a BillableItem, of the table `items`. */
export function billableColumns(db: Queryable) {
  return db`
    company_id AS "companyId", id, title, amount::text AS amount, quantity, currency,
    money_text(unit_amount, greatest(minor_unit_digits, scale(trim_scale(unit_amount)))) AS "unitAmount",
    trim_scale(tax_rate)::text AS "taxRate"`;
}

/** The items of so many companies that wait for an invoice, the oldest of each first. */
export async function selectPendingItems(db: Queryable, companyIds: readonly string[]): Promise<BillableItem[]> {
  return db<BillableItem[]>`
    SELECT ${billableColumns(db)} FROM items
    WHERE company_id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[]) AND invoice_id IS NULL
    ORDER BY company_id, id`;
}

/** An item and the invoice that has it, of whatever company. */
export type TakenItem = { companyId: string; itemId: string; invoiceId: string };

/** Writes down which invoice has which item. @returns how many of them had waited for one */
export async function updateTakenItems(tx: Tx, taken: readonly TakenItem[]): Promise<number> {
  const rows = await tx`
    UPDATE items SET invoice_id = given."invoiceId"
    FROM json_to_recordset(${JSON.stringify(taken)}::text::json) AS given ("companyId" uuid, "itemId" uuid, "invoiceId" uuid)
    WHERE items.company_id = given."companyId" AND items.id = given."itemId" AND items.invoice_id IS NULL
    RETURNING 1`;
  return rows.length;
}

/** When the first of the items that wait for an invoice was made, in each time zone that their companies have. */
export async function selectFirstPendingItems(db: Queryable): Promise<{ timezone: string; createdAt: Date }[]> {
  return db<{ timezone: string; createdAt: Date }[]>`
    SELECT timezone, min(items.created_at) AS "createdAt"
    FROM items JOIN companies ON companies.id = items.company_id
    WHERE invoice_id IS NULL GROUP BY timezone`;
}
