import type { TSchema } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';

const nullable = (description: string): TSchema =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [null] });

export const IngestionResult = namedObject('IngestionResult', {
  accepted: Type.Integer({ description: 'How many events are new. They are stored for good.', examples: [1] }),
  duplicate: Type.Integer({ description: 'How many were there before, and are not counted again.', examples: [0] }),
  rejected: Type.Integer({ description: 'How many broke a rule.', examples: [0] }),
  results: Type.Array(
    namedObject('IngestionEventResult', {
      id: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: "The event's, or null when it has none.",
        examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41'],
      }),
      status: Type.Enum(['accepted', 'duplicate', 'rejected']),
      reason: nullable('`invalid_event`, `unknown_company`, `time_in_future` or `too_late`, of one that is rejected.'),
      message: nullable('Which rule it broke, for people.'),
    }),
    { description: 'One for each event, in the order of the request.' },
  ),
});
