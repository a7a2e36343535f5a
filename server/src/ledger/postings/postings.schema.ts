import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkPositiveDecimal } from '../../platform/money/decimal.ts';

export const PostingsQuery = Type.Object({
  of: Type.Enum(['void', 'credit_note', 'refund'], {
    description: 'The action. A refund is that of the payment that has paid the invoice.',
    examples: ['void'],
  }),
  amount: Type.Optional(
    text({
      required: true,
      rule: checkPositiveDecimal,
      description:
        'The amount to credit or refund, including tax; required for a credit note, and not for a void. A refund without it is of all ' +
        'that is left.',
      examples: ['9.60'],
    }),
  ),
});
export type PostingsQuery = Static<typeof PostingsQuery>;

const side = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });

export const ActionPostings = namedObject('ActionPostings', {
  data: Type.Array(
    namedObject('ActionPosting', {
      account: Type.String({ description: 'As in `GET /operator/ledger`.', examples: ['receivable'] }),
      currency: Type.String({ examples: ['USD'] }),
      debit: side('Null if the account is credited.', null),
      credit: side('Null if the account is debited.', '57.60'),
    }),
  ),
  amountDue: Type.String({ description: 'What would be due on the invoice afterwards.', examples: ['0.00'] }),
});
export type ActionPostings = Static<typeof ActionPostings>;
