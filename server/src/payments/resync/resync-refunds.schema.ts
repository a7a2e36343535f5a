import type { Static } from 'typebox';
import { describeIds, GATEWAY_NAMES } from '../../gateways/gateways.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { Refund } from '../refunds/issue/refunds.schema.ts';

export const ResyncRefundsBody = namedObject('ResyncRefundsBody', {
  gateway: Type.Enum(GATEWAY_NAMES, {
    description: 'The gateway of the payment, which must be configured.',
    examples: ['stripe'],
  }),
  gatewayPaymentId: text({
    required: true,
    cardNumbers: 'allowed',
    rule: documentedRule({ pattern: '[A-Za-z0-9_-]+' }, (value) =>
      /^[\w-]*$/.test(value) ? [] : ['must be the id that the gateway shows'],
    ),
    description:
      `The gateway's id of the payment whose refunds are read: ${describeIds('payment')}. \`GET /operator/reconciliation\` ` +
      'returns this id for each difference.',
    examples: ['pi_3Rq2vYKdNfxT0aZb1c8mWpeL'],
  }),
});
export type ResyncRefundsBody = Static<typeof ResyncRefundsBody>;

/** All refunds of the payment, the newest first. */
export const ResyncedRefunds = namedObject('ResyncedRefunds', { data: Type.Array(Refund) });
export type ResyncedRefunds = Static<typeof ResyncedRefunds>;
