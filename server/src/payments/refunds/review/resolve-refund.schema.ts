import type { Static } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';
import { OUTCOMES } from '../../outcomes/review.ts';

export const ResolveRefundBody = namedObject('ResolveRefundBody', {
  outcome: Type.Enum(OUTCOMES, {
    description: 'The outcome that a person found at the gateway. `failed`: nothing was refunded.',
    examples: ['succeeded'],
  }),
  gatewayRefundId: Type.Optional(
    text({
      required: true,
      cardNumbers: 'allowed',
      description:
        "The id of the refund at the gateway. Required if Paydesk's own id does not find the refund (for example because it was " +
        'made by hand), or if its amount differs; sending the id accepts that amount.',
      examples: ['re_3Q1f2g4h5i6j7k8l'],
    }),
  ),
});
export type ResolveRefundBody = Static<typeof ResolveRefundBody>;
