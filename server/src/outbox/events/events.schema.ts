import type { Static, TSchema } from 'typebox';
import { companyIdsOrNull, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkDateOrInstant } from '../../platform/http/schema/instants.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageQuery } from '../../platform/http/schema/pagination.ts';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const CURSOR = '[0-9]{12,15}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The query parameter that names where the next page begins. */
export const cursorQuery = {
  perPage: pageQuery.perPage,
  cursor: Type.Optional(
    named(
      'Cursor',
      text({
        rule: patternRule(CURSOR, 'must be the nextCursor of the previous page'),
        description: 'The `nextCursor` of the previous page. Without it, the answer is the first page.',
        examples: ['1793520000000_0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
      }),
    ),
  ),
};

/** The cursor in answers. */
export const nextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'The `cursor` of the next page. Null on the last page.',
  examples: ['1793520000000_0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
});

/** @param types - all event types that the features declare */
export function eventQuery(types: readonly string[]) {
  return Type.Object({
    ...cursorQuery,
    companyId: Type.Optional(companyIdText({ description: 'Only events of this company.' })),
    type: Type.Optional(
      Type.Enum([...types], { description: 'Only events of this type.', examples: ['invoice.created'] }),
    ),
    startAt: Type.Optional(
      text({
        rule: checkDateOrInstant,
        description: 'Only events at this date or instant, or later.',
        examples: ['2026-10-01'],
      }),
    ),
    endAt: Type.Optional(
      text({
        rule: checkDateOrInstant,
        description: 'Only events before this instant. A date without a time includes that day.',
        examples: ['2026-10-31'],
      }),
    ),
  });
}
export type EventQuery = Static<ReturnType<typeof eventQuery>>;

/**
 * @param types - all event types that the features declare
 * @param eventData - what those events hold
 */
export function eventList(types: readonly string[], eventData: readonly TSchema[]) {
  const Event = namedObject('Event', {
    id: uuid('The id of the event, which is also the `webhook-id` of its deliveries.'),
    type: Type.Enum([...types], { examples: ['label.created'] }),
    ...companyIdsOrNull(
      'The company that the event is about. Null for an event that only the operator gets, such as the sign-up of a customer ' +
        'or an alert.',
    ),
    companyName: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The name under which lists show the company. Null without a company.',
      examples: ['Analytical Engines'],
    }),
    invoiceNumber: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The number of the invoice that the event is about. Null for an event about something else.',
      examples: ['INV-000001'],
    }),
    createdAt: timestamp(),
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      'x-like': eventData,
      description:
        'The object as the API showed it when the event occurred. The section on webhooks describes `data` for each type.',
      examples: [{ id: '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40', name: 'Priority' }],
    }),
  });
  return namedObject('EventList', {
    perPage: Type.Integer({ examples: [10] }),
    nextCursor,
    data: Type.Array(Event),
  });
}
export type EventList = ReturnType<typeof eventList>;
