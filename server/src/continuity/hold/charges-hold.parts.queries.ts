import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';

/** Begins the sentence that names what no journal has. */
export const WENT_BACK =
  'A journal went back with the database, or the database does not know it: none that was read has ';

/** Whether a hold, given by its id, does not wait for a row of `journals`: it has read it whole, or a person gave the journal up. */
export function isSettled(db: Queryable, hold: Part): Part {
  return db`(lost_at IS NOT NULL OR read_in IS NOT DISTINCT FROM ${hold} OR lost_in IS NOT DISTINCT FROM ${hold})`;
}

/**
 * Whether a row of `charges_holds` waits because the journals that it has read are not whole: all of them were read, none was given up, and
 * a gateway shows what none of them has.
 */
export const lacksJournal = constantPart(
  (db) => db`(
    unjournaled IS NOT NULL
    AND NOT EXISTS (SELECT FROM journals WHERE lost_in = charges_holds.id OR NOT ${isSettled(db, db`charges_holds.id`)}))`,
);
