import { named, namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

/** Has no schema of its own: the signature covers the raw body, and the gateway documents its content. */
export const GatewayEventBody = named(
  'GatewayEventBody',
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'An event, as the gateway sends it.',
    examples: [{ id: 'evt_1Rq2vYKdNfxT0aZbL8c3mWpe', object: 'event', type: 'payment_intent.succeeded' }],
  }),
);

export const GatewayEventAnswer = namedObject('GatewayEventAnswer', { received: Type.Boolean({ examples: [true] }) });
