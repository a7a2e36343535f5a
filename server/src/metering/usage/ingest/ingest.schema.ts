import type { TSchema } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';

const nullable = (description: string): TSchema =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [null] });

export const IngestionResult = namedObject('IngestionResult', {
  accepted: Type.Integer({ description: 'The number of new events. They are stored permanently.', examples: [1] }),
  duplicate: Type.Integer({
    description:
      'The number of events that repeat an earlier event of the same company, `source` and `id`. They are ' +
      'not counted again.',
    examples: [0],
  }),
  rejected: Type.Integer({ description: 'The number of events that broke a rule.', examples: [0] }),
  results: Type.Array(
    namedObject('IngestionEventResult', {
      id: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The id of the event; null if the event has none.',
        examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41'],
      }),
      status: Type.Enum(['accepted', 'duplicate', 'rejected']),
      reason: nullable(
        'The error of a rejected event: `invalid_event`, `unknown_company`, `time_in_future` or `too_late`.',
      ),
      message: nullable('A sentence that says which rule the event broke.'),
      unattributed: Type.Optional(
        Type.Boolean({
          description: 'True for an accepted event of an external id that no company has yet, else absent.',
        }),
      ),
    }),
    { description: 'One result for each event, in the order of the request.' },
  ),
});
