import { v7 as uuidv7 } from 'uuid';
import { lockCompany, readBillingSettings } from '../../customers/companies/companies.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { minorUnitDigits } from '../../platform/money/currencies.ts';
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  toDecimal,
} from '../../platform/money/decimal.ts';
import { fromMinor, toMinor } from '../../platform/money/money.ts';
import { itemEvents } from './items.events.ts';
import {
  countPendingItems,
  deleteItem,
  insertItem,
  lockItem,
  type NewItem,
  selectItemOfReference,
  selectItemPage,
} from './items.queries.ts';
import type { Item, ItemBody, ItemQuery } from './items.schema.ts';

export {
  assignItems,
  type BillableItem,
  findFirstPendingItems,
  type ItemChoice,
  readItemsToBill,
} from './items.billing.ts';

/** As many as an invoice of the operator may have lines. */
const MAX_PENDING_ITEMS = 1_000;
/** As many as a price may have. */
const MAX_UNIT_DECIMALS = 12;
/** In major units, exclusive, like the credit that a negative one may become. */
const AMOUNT_LIMIT = toDecimal('100000000000');

/**
 * Adds a one-off item to the company's next invoice. If the company already has an item with this reference, returns
 * that one, with 200.
 * @throws ApiError 400 naming the field; not_found, reference_taken, limit_reached
 */
export async function createItem(
  tx: Tx,
  companyId: string,
  body: ItemBody,
  now: Date,
): Promise<{ status: 200 | 201; item: Item }> {
  // This lock is also held while items are billed and while the currency is changed.
  await lockCompany(tx, companyId);
  const { currency } = await readBillingSettings(tx, companyId);
  if (body.currency !== undefined && body.currency !== currency) {
    throw invalidField('currency', `must be ${currency}, the currency that the company is billed in`);
  }
  const draft = draftItem(body, currency, now);
  const earlier = draft.reference === null ? null : await selectItemOfReference(tx, companyId, draft);
  if (earlier !== null) return earlier.isSame ? { status: 200, item: earlier.item } : refuseReference();
  if ((await countPendingItems(tx, companyId)) >= MAX_PENDING_ITEMS) {
    throw new ApiError(
      'limit_reached',
      `A company can have at most ${MAX_PENDING_ITEMS} items that wait for its next invoice.`,
    );
  }
  const item = await insertItem(tx, companyId, draft);
  await itemEvents.record(tx, companyId, { type: 'item.created', data: item });
  return { status: 201, item };
}

function draftItem(body: ItemBody, currency: string, createdAt: Date): NewItem {
  const { title, quantity = 1, taxRate = null, reference = null } = body;
  const unitAmount = readUnitAmount(body, currency);
  const field = body.amount === undefined ? 'unitAmount' : 'amount';
  const exact = multiplyDecimals(unitAmount, { coefficient: BigInt(quantity), scale: 0 });
  const amountMinor = toMinor(exact, currency);
  if (amountMinor === 0n) throw invalidField(field, 'must not result in zero');
  const size = fromMinor(amountMinor < 0n ? -amountMinor : amountMinor, currency);
  if (compareDecimals(size, AMOUNT_LIMIT) >= 0) throw invalidField(field, 'must result in less than 100000000000');
  return {
    ...{ id: uuidv7(), title, quantity, currency, taxRate, reference, minorUnitDigits: minorUnitDigits(currency) },
    amount: formatDecimal(fromMinor(amountMinor, currency)),
    unitAmount: formatDecimal(unitAmount),
    createdAt,
  };
}

/**
 * Reads the price of one unit. `amount` has to be exact; `unitAmount` may be finer than the minor unit. @throws
 * ApiError 400 naming the field
 */
function readUnitAmount({ amount, unitAmount, quantity }: ItemBody, currency: string): Decimal {
  if (amount === undefined) {
    if (unitAmount === undefined) throw invalidField('amount', 'or unitAmount and quantity are required');
    const each = toDecimal(unitAmount);
    if (each.scale > MAX_UNIT_DECIMALS)
      throw invalidField('unitAmount', `must have at most ${MAX_UNIT_DECIMALS} decimals`);
    return each;
  }
  if (unitAmount !== undefined) throw invalidField('unitAmount', 'must not be sent with amount');
  if (quantity !== undefined) throw invalidField('quantity', 'must not be sent with amount: send unitAmount');
  const whole = toDecimal(amount);
  if (compareDecimals(whole, fromMinor(toMinor(whole, currency), currency)) !== 0) {
    throw invalidField('amount', `must have no more decimals than ${currency} has`);
  }
  return whole;
}

function refuseReference(): never {
  throw new ApiError('reference_taken', 'The company has another item with this reference.', {
    details: [{ field: 'reference', message: 'is already used by a different item' }],
  });
}

/** Reads a page of the company's items, newest first. @throws ApiError not_found */
export async function listItems(db: Queryable, companyId: string, query: ItemQuery) {
  await readBillingSettings(db, companyId);
  const { total, data } = await selectItemPage(db, companyId, query);
  return { total, page: query.page, perPage: query.perPage, data };
}

/** Removes an item that waits for an invoice. @throws ApiError not_found, item_invoiced */
export async function removeItem(tx: Tx, companyId: string, itemId: string): Promise<void> {
  await lockCompany(tx, companyId);
  const item = await lockItem(tx, companyId, itemId);
  if (item === null) throw notFound('item');
  if (!item.isPending) {
    throw new ApiError(
      'item_invoiced',
      'The item is on an invoice: issue a credit note, or add an item that offsets it.',
    );
  }
  await deleteItem(tx, companyId, itemId);
}
