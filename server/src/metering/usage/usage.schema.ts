import type { Static } from 'typebox';
import { companyIdAsSent, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { checkDateOrInstant, checkTimezone } from '../../platform/http/schema/instants.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageHead, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { ATTRIBUTE_NAME, checkEventTime, MAX_QUANTITY, USAGE_EVENT_TYPE } from './ingest/events.ts';

const MAX_EVENTS = 1_000;

const COMPANY_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const EVENT_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';
const EVENT_TIME = '2026-01-15T09:30:00Z';

const attributes = {
  specversion: Type.Enum(['1.0'], { description: 'The version of CloudEvents.', examples: ['1.0'] }),
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
    description: 'Identifies the event within its company and source, forever.',
    examples: [EVENT_ID],
  }),
  subject: companyIdAsSent({ description: 'The id of the company.', examples: [COMPANY_ID] }),
  time: text({
    required: true,
    rule: checkEventTime,
    description: 'When the usage happened, truncated to milliseconds: from the year 2000 to 5 minutes from now.',
    examples: [EVENT_TIME],
  }),
  datacontenttype: Type.Optional(text({ description: 'Ignored: `data` is JSON.', examples: ['application/json'] })),
  dataschema: Type.Optional(text({ description: 'Ignored.', examples: ['https://example.com/usage.json'] })),
  data: Type.Object({
    path: text({ required: true, examples: ['/v1/transcriptions'] }),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_QUANTITY,
        description: 'The quantity of usage; 1 when absent.',
        examples: [1],
      }),
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
    'The start of the period: a date, meaning midnight in the time zone, or an instant on a quarter of an hour. When absent: a ' +
      'month before `to` or, without `to`, the start of this month.',
    '2026-10-01',
  ),
  to: bound('The end of the period (exclusive). When absent: a month after `from`.', '2026-11-01'),
  granularity: Type.Enum(GRANULARITIES, {
    default: 'day',
    description: 'The interval by which usage is added up. At most 1,000 intervals.',
    examples: ['day'],
  }),
  timezone: text({
    default: 'UTC',
    required: true,
    rule: checkTimezone,
    description: 'The IANA time zone of the days and months.',
    examples: ['Europe/Berlin'],
  }),
  path: Type.Optional(
    text({
      required: true,
      description: 'Only this path; with `*` at its end, all paths that begin with it.',
      examples: ['/v1/*'],
    }),
  ),
};

export const UsageFileQuery = Type.Object(usageFilters);
export type UsageFileQuery = Static<typeof UsageFileQuery>;

export const UsageQuery = Type.Object({ ...pageQuery, ...usageFilters });
export type UsageQuery = Static<typeof UsageQuery>;

const companyId = companyIdText({ description: 'The id of the company. An unknown company has no usage.' });

export const OperatorUsageFileQuery = Type.Object({ companyId, ...usageFilters });

export const OperatorUsageQuery = Type.Object({ companyId, ...pageQuery, ...usageFilters });

const instant = (example: string) => Type.String({ format: 'date-time', examples: [example] });

const quantity = Type.String({ description: 'A whole number, like `totalRequest` on invoices.', examples: ['12000'] });
const interval = { start: instant('2026-10-01T00:00:00.000Z'), end: instant('2026-10-02T00:00:00.000Z') };

export const UsageList = namedObject('UsageList', {
  ...pageHead(),
  data: Type.Array(
    namedObject('UsageSum', { path: Type.String({ examples: ['/v1/transcriptions'] }), ...interval, quantity }),
  ),
  totals: Type.Array(namedObject('UsageTotal', { ...interval, quantity }), {
    description:
      'The usage of all matching paths in each interval of the period, on all pages. Intervals without usage are left out.',
  }),
});
