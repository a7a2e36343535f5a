/** What a payment is called at Stripe and on the statement of its card. */

/**
 * The account's prefix has at most 10 of the 22 characters, and `* ` joins both
 * (https://docs.stripe.com/get-started/account/statement-descriptors). The account is not asked for its prefix: the request of a payment
 * must be the same each time.
 */
const SUFFIX_LENGTH = 22 - 10 - 2;

type Description = { description?: string; statement_descriptor_suffix?: string };

/** Names the invoice of a payment. Stripe takes a suffix for cards alone, and refuses one without a letter, which is left out. */
export function describeInvoice(number: string | undefined, { isDebit }: { isDebit: boolean }): Description {
  if (number === undefined) return {};
  const description = `Invoice ${number}`;
  const suffix = number
    .replace(/[<>\\'"*]|[^\x20-\x7e]/g, '')
    .slice(-SUFFIX_LENGTH)
    .trim();
  return !isDebit && /[A-Za-z]/.test(suffix) ? { description, statement_descriptor_suffix: suffix } : { description };
}
