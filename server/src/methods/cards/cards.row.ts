import type { Mandate } from '../../gateways/gateway/gateway.cards.ts';
import type { Card } from './cards.schema.ts';

/** A row of `cards` as queries return it. */
export type CardRow = Omit<Card, 'info' | 'mandate'> &
  Card['info'] & { mandateReference: Mandate['reference'] | null; mandateAcceptedAt: Mandate['acceptedAt'] | null };

/**
 * Converts a row to the Card of the API. Each field is written out, because destructuring and spreading cost more than the rest of a
 * list.
 */
export function toCard(row: CardRow): Card {
  const { country, expMonth, expYear, cardName, cardNumber, brand } = row;
  const { mandateReference: reference, mandateAcceptedAt: acceptedAt } = row;
  return {
    id: row.id,
    companyId: row.companyId,
    addressId: row.addressId,
    method: row.method,
    isDefault: row.isDefault,
    info: { country, expMonth, expYear, cardName, cardNumber, brand },
    mandate: reference === null || acceptedAt === null ? null : { reference, acceptedAt },
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
