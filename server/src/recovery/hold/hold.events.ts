import { declareEvents } from '../../outbox/events/events.service.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

const ChargesHold = namedObject('ChargesHold', {
  id: uuid(),
  reason: Type.String({
    examples: ['The database lacks a payment that the gateway has. The database may have been restored.'],
  }),
  since: timestamp(),
  endedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the hold ended. Null while charges are held.',
    examples: [null],
  }),
});

/** The events of a hold. */
export const holdEvents = declareEvents({
  'charges.held': {
    audience: 'operator',
    summary:
      'Charges are held, because the database may lack records that it had before. Only the operator gets this event, and ' +
      '`companyId` is null. This event and its alert are sent at once; every other event waits until the hold ends.',
    data: ChargesHold,
  },
  'charges.released': {
    audience: 'operator',
    summary: 'The hold has ended. Only the operator gets this event, and `companyId` is null.',
    data: ChargesHold,
  },
});
