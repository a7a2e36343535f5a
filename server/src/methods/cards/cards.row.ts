import type { Card } from './cards.schema.ts';

/** A row of `cards` as queries return it. */
export type CardRow = Omit<Card, 'info'> & Card['info'];

/**
 * Converts a row to the Card of the API. Each field is written out, because destructuring and spreading cost more than the rest of a
 * list.
 */
export function toCard(row: CardRow): Card {
  const { country, expMonth, expYear, cardName, cardNumber, brand } = row;
  return {
    id: row.id,
    companyId: row.companyId,
    addressId: row.addressId,
    method: row.method,
    isDefault: row.isDefault,
    info: { country, expMonth, expYear, cardName, cardNumber, brand },
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
