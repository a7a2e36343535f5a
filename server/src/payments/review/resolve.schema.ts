import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { OUTCOMES } from '../outcomes/review.ts';

export const ResolvePaymentBody = namedObject('ResolvePaymentBody', {
  outcome: Type.Optional(
    Type.Enum(OUTCOMES, {
      description:
        'What a person found out. It decides where the gateway can not say it: when it does not know the payment, or is not configured ' +
        'any more. Else it has to agree with the gateway.',
      examples: ['succeeded'],
    }),
  ),
});
export type ResolvePaymentBody = Static<typeof ResolvePaymentBody>;
