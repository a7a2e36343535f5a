import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { Item, ItemQuery } from './items.schema.ts';
import { type BillableItem, billableColumns } from './items.worker.queries.ts';

function itemColumns(db: Queryable) {
  return db`
    company_id AS "companyId", id, title, money_text(amount, minor_unit_digits) AS amount, quantity, currency,
    money_text(unit_amount, greatest(minor_unit_digits, scale(trim_scale(unit_amount)))) AS "unitAmount",
    trim_scale(tax_rate)::text AS "taxRate", reference,
    CASE WHEN invoice_id IS NULL THEN 'pending' ELSE 'invoiced' END AS state, invoice_id AS "invoiceId", created_at AS "createdAt"`;
}

/** Amounts in major units. */
export type NewItem = Pick<Item, 'id' | 'title' | 'amount' | 'unitAmount' | 'quantity' | 'currency' | 'createdAt'> & {
  minorUnitDigits: number;
  taxRate: string | null;
  reference: string | null;
};

/** Inserts an item, which waits for an invoice. */
export async function insertItem(tx: Tx, companyId: string, item: NewItem): Promise<Item> {
  const { id, title, amount, unitAmount, quantity, currency, minorUnitDigits, taxRate, reference, createdAt } = item;
  const [row] = await tx<[Item]>`
    INSERT INTO items (company_id, id, title, amount, unit_amount, quantity, currency, minor_unit_digits, tax_rate, reference,
                       created_at)
    VALUES (${companyId}, ${id}, ${title}, ${amount}::text::numeric, ${unitAmount}::text::numeric, ${quantity}, ${currency},
            ${minorUnitDigits}, ${taxRate}::text::numeric, ${reference}, ${createdAt})
    RETURNING ${itemColumns(tx)}`;
  return row;
}

/** Reads the company's item with this reference, and whether it equals the given one; null if there is none. */
export async function selectItemOfReference(
  db: Queryable,
  companyId: string,
  { reference, title, unitAmount, quantity, currency, taxRate }: NewItem,
): Promise<{ item: Item; isSame: boolean } | null> {
  const [row] = await db<(Item & { isSame: boolean })[]>`
    SELECT ${itemColumns(db)},
           (title, unit_amount, quantity, currency, tax_rate) IS NOT DISTINCT FROM
             (${title}, ${unitAmount}::text::numeric, ${quantity}, ${currency}, ${taxRate}::text::numeric) AS "isSame"
    FROM items WHERE company_id = ${companyId} AND reference = ${reference}`;
  if (row === undefined) return null;
  const { isSame, ...item } = row;
  return { item, isSame };
}

/** Counts the company's items that wait for an invoice. */
export async function countPendingItems(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM items WHERE company_id = ${companyId} AND invoice_id IS NULL`;
  return row.total;
}

/** Reads a page of the company's items, the newest first. */
export async function selectItemPage(
  db: Queryable,
  companyId: string,
  { page, perPage, state }: ItemQuery,
): Promise<{ total: number; data: Item[] }> {
  const inState = { pending: db`AND invoice_id IS NULL`, invoiced: db`AND invoice_id IS NOT NULL` };
  const matches = db`company_id = ${companyId} ${state === undefined ? db`` : inState[state]}`;
  const [counted] = await db<[{ total: number }]>`SELECT count(*)::int AS total FROM items WHERE ${matches}`;
  const data = await db<Item[]>`
    SELECT ${itemColumns(db)} FROM items WHERE ${matches}
    ORDER BY id DESC LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  return { total: counted.total, data };
}

/** Locks the company's item and returns whether it waits for an invoice; null if there is none. */
export async function lockItem(tx: Tx, companyId: string, id: string): Promise<{ isPending: boolean } | null> {
  const [row] = await tx<{ isPending: boolean }[]>`
    SELECT invoice_id IS NULL AS "isPending" FROM items WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  return row ?? null;
}

/** Deletes the company's item. The database refuses to delete one that is on an invoice. */
export async function deleteItem(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`DELETE FROM items WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Reads the items on an invoice of the company, the oldest first. */
export async function selectItemsOfInvoice(
  db: Queryable,
  companyId: string,
  invoiceId: string,
): Promise<BillableItem[]> {
  return db<BillableItem[]>`
    SELECT ${billableColumns(db)} FROM items
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} ORDER BY id`;
}
