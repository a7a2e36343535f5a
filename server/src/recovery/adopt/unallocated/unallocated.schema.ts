import type { Static } from 'typebox';
import { describeIds, GATEWAY_NAMES } from '../../../gateways/gateways.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { documentedRule } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';

export const RecoveryRefundBody = namedObject('RecoveryRefundBody', {
  gateway: Type.Enum(GATEWAY_NAMES, {
    description: 'Where the payment is: one that is configured.',
    examples: ['stripe'],
  }),
  gatewayPaymentId: text({
    required: true,
    cardNumbers: 'allowed',
    rule: documentedRule({ pattern: '[A-Za-z0-9_-]+' }, (value) =>
      /^[\w-]*$/.test(value) ? [] : ['must be the id that the gateway shows'],
    ),
    description: `The gateway's id of the payment, as the alert names it: ${describeIds('payment')}.`,
    examples: ['pi_3Rq2vYKdNfxT0aZb1c8mWpeL'],
  }),
});
export type RecoveryRefundBody = Static<typeof RecoveryRefundBody>;

/** A refund of a capture that no invoice here gets. */
export const RecoveryRefund = namedObject('RecoveryRefund', {
  gateway: Type.String({ examples: ['stripe'] }),
  gatewayPaymentId: Type.String({ examples: ['pi_3Rq2vYKdNfxT0aZb1c8mWpeL'] }),
  gatewayRefundId: Type.String({ examples: ['re_3Rq2vYKdNfxT0aZb1Xy4HkQm'] }),
  amount: Type.String({
    description: 'What was not refunded before; if nothing was left, the last refund that the gateway had made.',
    examples: ['48.00'],
  }),
  currency: Type.String({ examples: ['USD'] }),
});
export type RecoveryRefund = Static<typeof RecoveryRefund>;
