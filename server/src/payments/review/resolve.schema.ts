import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { OUTCOMES } from '../outcomes/review.ts';

export const ResolvePaymentBody = namedObject('ResolvePaymentBody', {
  outcome: Type.Optional(
    Type.Enum([...OUTCOMES, 'refunded'], {
      description:
        'What a person found out. It decides where the gateway cannot say it: when it does not know the payment, or is not configured ' +
        'any more. Else it has to agree with the gateway. Where another amount was captured than was due, a person decides: `succeeded` ' +
        'accepts it, less as a part payment, and more with the rest as credit. `refunded` refunds all of it at the gateway, whatever the ' +
        'amount.',
      examples: ['succeeded'],
    }),
  ),
});
export type ResolvePaymentBody = Static<typeof ResolvePaymentBody>;
