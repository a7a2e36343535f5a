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
        'What the gateway calls the refund. Needed where it is not found by our own id (it was made by hand, say), or is of another ' +
        'amount, which is accepted thereby.',
      examples: ['re_3Q1f2g4h5i6j7k8l'],
    }),
  ),
});
export type ResolveRefundBody = Static<typeof ResolveRefundBody>;
