import type { Queryable } from '../../platform/database/database.ts';
import { type Expiring, expires } from './payment-mails.parts.queries.ts';

/** Whether there is a card of whose expiry its company has to be told. */
export async function hasExpiring(db: Queryable, expiring: Expiring): Promise<boolean> {
  const [row] = await db<[{ found: boolean }]>`
    SELECT EXISTS (SELECT FROM cards WHERE ${expires(db, expiring)}) AS found`;
  return row.found;
}
