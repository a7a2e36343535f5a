import type { Static } from 'typebox';
import { companyIdAsSent, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { checkDateOrInstant, checkTimezone } from '../../platform/http/schema/instants.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { ATTRIBUTE_NAME, checkEventTime, MAX_QUANTITY, USAGE_EVENT_TYPE } from './ingest/events.ts';

const MAX_EVENTS = 1_000;

const COMPANY_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const EVENT_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';
const EVENT_TIME = '2026-01-15T09:30:00Z';

const attributes = {
  specversion: Type.Enum(['1.0'], { description: 'Of CloudEvents.', examples: ['1.0'] }),
  type: Type.Enum([USAGE_EVENT_TYPE], { examples: [USAGE_EVENT_TYPE] }),
  source: text({
    required: true,
    cardNumbers: 'allowed',
    description: 'What sends the event.',
    examples: ['/gateways/eu-1'],
  }),
  id: text({
    required: true,
    cardNumbers: 'allowed',
    description: 'Identifies the event within its company and source, for ever.',
    examples: [EVENT_ID],
  }),
  subject: companyIdAsSent({ description: 'The id of the company.', examples: [COMPANY_ID] }),
  time: text({
    required: true,
    rule: checkEventTime,
    description: 'When it happened, cut to milliseconds: from the year 2000 to 5 minutes from now.',
    examples: [EVENT_TIME],
  }),
  datacontenttype: Type.Optional(text({ description: 'Ignored: `data` is JSON.', examples: ['application/json'] })),
  dataschema: Type.Optional(text({ description: 'Ignored.', examples: ['https://example.com/usage.json'] })),
  data: Type.Object({
    path: text({ required: true, examples: ['/v1/transcriptions'] }),
    quantity: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_QUANTITY, description: '1 when absent.', examples: [1] }),
    ),
  }),
};

/** As plain JSON: an attribute that is not named here is unknown. */
export const UsageEventBody = namedObject('UsageEventBody', attributes);

/** As a CloudEvent, which may have extension attributes (CloudEvents 1.0, "Naming Conventions"). They are passed over. */
export const UsageCloudEventBody = namedObject('UsageCloudEventBody', attributes, {
  patternProperties: { [ATTRIBUTE_NAME.source]: {} },
  additionalProperties: false,
});

/** The items are not checked here, because one that breaks a rule must not keep the others out: see `readUsageEvent`. */
export const UsageBatchBody = named(
  'UsageBatchBody',
  Type.Unsafe<unknown[]>({
    type: 'array',
    minItems: 1,
    maxItems: MAX_EVENTS,
    description: 'Events as in `application/cloudevents+json`.',
    examples: [
      [
        {
          specversion: '1.0',
          type: USAGE_EVENT_TYPE,
          source: '/gateways/eu-1',
          id: EVENT_ID,
          subject: COMPANY_ID,
          time: EVENT_TIME,
          data: { path: '/v1/transcriptions', quantity: 1 },
        },
      ],
    ],
  }),
);

const GRANULARITIES = ['hour', 'day', 'month'] as const;

const bound = (description: string, example: string) =>
  Type.Optional(text({ required: true, rule: checkDateOrInstant, description, examples: [example] }));

const usageFilters = {
  from: bound(
    'Where the period begins: a date, as midnight of the time zone, or an instant on a quarter of an hour. ' +
      'When absent: a month before `to`; without `to`, the start of this month.',
    '2026-10-01',
  ),
  to: bound('Where it ends, itself not in it. When absent: a month after `from`.', '2026-11-01'),
  granularity: Type.Enum(GRANULARITIES, {
    default: 'day',
    description: 'The intervals that usage is added up by, at most 1,000.',
    examples: ['day'],
  }),
  timezone: text({
    default: 'UTC',
    required: true,
    rule: checkTimezone,
    description: 'The IANA time zone whose days and months are meant.',
    examples: ['Europe/Berlin'],
  }),
  path: Type.Optional(
    text({
      required: true,
      description: 'This path alone; with `*` at its end, all that begin like it.',
      examples: ['/v1/*'],
    }),
  ),
};

export const UsageQuery = Type.Object({ ...pageQuery, ...usageFilters });
export type UsageQuery = Static<typeof UsageQuery>;

export const OperatorUsageQuery = Type.Object({
  companyId: companyIdText({ description: 'The company. One that is not there has used nothing.' }),
  ...pageQuery,
  ...usageFilters,
});

const instant = (example: string) => Type.String({ format: 'date-time', examples: [example] });

export const UsageList = pageOf(
  'UsageList',
  namedObject('UsageSum', {
    path: Type.String({ examples: ['/v1/transcriptions'] }),
    start: instant('2026-10-01T00:00:00.000Z'),
    end: instant('2026-10-02T00:00:00.000Z'),
    quantity: Type.String({ description: 'A whole number, as invoices write `totalRequest`.', examples: ['12000'] }),
  }),
);
