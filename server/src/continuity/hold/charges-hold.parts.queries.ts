import { constantPart } from '../../platform/database/database.ts';

/** Begins the sentence that names what no journal has. */
export const WENT_BACK =
  'A journal went back with the database, or the database does not know it: none that was read has ';

/**
 * Whether a row of `charges_holds` waits because the journals that it has read are not whole: all of them were read, none was given up, and
 * a gateway shows what none of them has.
 */
export const lacksJournal = constantPart(
  (db) => db`(
    unjournaled IS NOT NULL AND unjournaled_lost_at IS NULL AND NOT EXISTS (
      SELECT FROM journals
      WHERE lost_in = charges_holds.id OR damage_lost_in = charges_holds.id
        OR lost_at IS NULL AND (read_in IS DISTINCT FROM charges_holds.id OR damage IS NOT NULL)))`,
);
