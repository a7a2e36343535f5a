/** The fields of a card, in the order in which the page has them. */
export const CARD_FIELDS = ['cardNumber', 'expMonth', 'expYear', 'cvv', 'cardName', 'country'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

/** What came of a post that the invoice itself does not tell. */
export const NOTICES = ['check_card', 'limited', 'unavailable', 'no_method', 'not_taken'] as const;
export type Notice = { kind: (typeof NOTICES)[number]; wrong: readonly CardField[] };

/** Writes a notice into the query of the page's address. It names fields, and never what stands in them. */
export function writeNotice({ kind, wrong }: Notice): string {
  return `?${new URLSearchParams({ notice: kind, ...(wrong.length > 0 ? { fields: wrong.join('.') } : {}) })}`;
}

/** Reads the notice of an address; null for none. */
export function readNotice({ notice, fields }: Record<string, unknown>): Notice | null {
  const kind = NOTICES.find((known) => known === notice);
  if (kind === undefined) return null;
  const named = typeof fields === 'string' ? fields.split('.') : [];
  return { kind, wrong: CARD_FIELDS.filter((field) => named.includes(field)) };
}
