/** What happened to a document that was to be written again. In every case but `restored`, nothing was written. */
export type Restored =
  /** `note` says what is not as it was; null if all is. */
  | { outcome: 'restored'; note: string | null }
  /** It is here already, under its id. */
  | { outcome: 'present' }
  /** Meanwhile another document was issued for the same debt, or with the same reference. */
  | { outcome: 'superseded'; by: { id: string; number: string } }
  /** Another document has its number. */
  | { outcome: 'number_taken' }
  | { outcome: 'company_unknown' }
  /** `reason` is a sentence for the person who decides. */
  | { outcome: 'impossible'; reason: string };

/** Its invoice may come back after the hold, with a billing run. */
export const UNKNOWN_INVOICE = 'The invoice is not in the database.';

/** Says that the document can't be written again, and why. */
export function impossible(reason: string): Restored {
  return { outcome: 'impossible', reason };
}
