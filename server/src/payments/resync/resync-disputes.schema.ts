import type { Static } from 'typebox';
import { describeIds, GATEWAYS } from '../../gateways/gateways.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { Dispute } from '../disputes/disputes.schema.ts';

export const ResyncDisputeBody = namedObject('ResyncDisputeBody', {
  gateway: Type.Enum(
    GATEWAYS.filter(({ hasDisputes }) => hasDisputes).map(({ name }) => name),
    {
      description: 'The gateway of the dispute, which must be configured.',
      examples: ['stripe'],
    },
  ),
  gatewayDisputeId: text({
    required: true,
    cardNumbers: 'allowed',
    rule: documentedRule({ pattern: '[A-Za-z0-9_-]+' }, (value) =>
      /^[\w-]*$/.test(value) ? [] : ['must be the id that the gateway shows'],
    ),
    description: `The id of the dispute at the gateway: ${describeIds('dispute')}.`,
    examples: ['dp_1Rq2vYKdNfxT0aZbL8c3mWpe'],
  }),
});
export type ResyncDisputeBody = Static<typeof ResyncDisputeBody>;

/** One dispute for each of our payments that it is about. */
export const ResyncedDisputes = namedObject('ResyncedDisputes', { data: Type.Array(Dispute) });
