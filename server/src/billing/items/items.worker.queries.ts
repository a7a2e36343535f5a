import type { Queryable, Tx } from '../../platform/database/database.ts';

/** What an invoice shows of an item. Amounts in major units; `taxRate` in percent, null for the rate of the invoice's own usage. */
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

/** The columns of a BillableItem in the table `items`. */
export function billableColumns(db: Queryable) {
  return db`
    company_id AS "companyId", id, title, amount::text AS amount, quantity, currency,
    money_text(unit_amount, greatest(minor_unit_digits, scale(trim_scale(unit_amount)))) AS "unitAmount",
    trim_scale(tax_rate)::text AS "taxRate"`;
}

/** Reads the waiting items of these companies, the oldest of each first. */
export async function selectPendingItems(db: Queryable, companyIds: readonly string[]): Promise<BillableItem[]> {
  return db<BillableItem[]>`
    SELECT ${billableColumns(db)} FROM items
    WHERE company_id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[]) AND invoice_id IS NULL
    ORDER BY company_id, id`;
}

/** An item of any company, and the invoice that takes it. */
export type AssignedItem = { companyId: string; itemId: string; invoiceId: string };

/** Stores which invoice took which item. @returns how many of the items were waiting */
export async function updateAssignedItems(tx: Tx, taken: readonly AssignedItem[]): Promise<number> {
  const rows = await tx`
    UPDATE items SET invoice_id = given."invoiceId"
    FROM json_to_recordset(${JSON.stringify(taken)}::text::json) AS given ("companyId" uuid, "itemId" uuid, "invoiceId" uuid)
    WHERE items.company_id = given."companyId" AND items.id = given."itemId" AND items.invoice_id IS NULL
    RETURNING 1`;
  return rows.length;
}

/** Finds when the first waiting item was created, in each time zone of the companies. */
export async function selectFirstPendingItems(db: Queryable): Promise<{ timezone: string; createdAt: Date }[]> {
  return db<{ timezone: string; createdAt: Date }[]>`
    SELECT timezone, min(items.created_at) AS "createdAt"
    FROM items JOIN companies ON companies.id = items.company_id
    WHERE invoice_id IS NULL GROUP BY timezone`;
}
