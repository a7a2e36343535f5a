import type { Card } from './cards.schema.ts';

/** A row of `cards`, as it is read. */
export type CardRow = Omit<Card, 'info'> & Card['info'];

/** The Card of the API. Written out: taking objects apart and spreading them costs more than the rest of a list. */
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
