import { uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { declareEvents } from '../../events/events.service.ts';

const PingData = namedObject('WebhookPing', {
  endpointId: uuid(),
  url: Type.String({ examples: ['https://hooks.example.com/paydesk'] }),
});

/** The events of webhook endpoints. */
export const webhookEvents = declareEvents({
  'webhook.ping': {
    audience: 'company',
    summary: 'Somebody tested a webhook endpoint. Only that endpoint gets the event.',
    data: PingData,
  },
});
