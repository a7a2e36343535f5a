import { declareEvents } from '../events/events.service.ts';
import { uuid } from '../http/fields.ts';
import { Type } from '../http/type.ts';

const PingData = Type.Object({
  endpointId: uuid(),
  url: Type.String({ examples: ['https://hooks.example.com/paydesk'] }),
});

/** What webhook endpoints tell of. */
export const webhookEvents = declareEvents({
  'webhook.ping': { summary: 'A test that was asked for; only the tested endpoint is told.', data: PingData },
});
