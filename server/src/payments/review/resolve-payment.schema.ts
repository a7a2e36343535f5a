import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { OUTCOMES } from '../outcomes/review.ts';

export const ResolvePaymentBody = namedObject('ResolvePaymentBody', {
  outcome: Type.Optional(
    Type.Enum([...OUTCOMES, 'refunded'], {
      description:
        'The outcome that a person found. It decides if the gateway cannot answer: it does not know the payment, or is no longer ' +
        'configured. Otherwise the outcome has to agree with the gateway. If the gateway captured another amount than was due, a ' +
        'person decides. `succeeded` accepts the capture: a lower amount becomes a part payment, and the excess of a higher amount ' +
        'becomes credit. `refunded` refunds all of the capture at the gateway.',
      examples: ['succeeded'],
    }),
  ),
});
export type ResolvePaymentBody = Static<typeof ResolvePaymentBody>;
