import type { Static } from 'typebox';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { checkInstant } from '../../../platform/http/schema/instants.ts';
import { named, namedObject } from '../../../platform/http/schema/named.ts';
import { patternRule, type TextRule } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';
import { cursorQuery, nextCursor } from '../../events/events.schema.ts';

const URL_EXAMPLE = 'https://hooks.example.com/paydesk';

const REST_OF_URL = '://[^\\s\\u0000][^\\u0000]*';
const checkUrl = patternRule(`[Hh][Tt][Tt][Pp][Ss]?${REST_OF_URL}`, `must be a URL such as ${URL_EXAMPLE}`);
/** For a company's endpoints, which are never reached without TLS. */
const checkSecureUrl = patternRule(`[Hh][Tt][Tt][Pp][Ss]${REST_OF_URL}`, 'must be a URL that begins with https://');

const urlField = (rule: TextRule, description: string) =>
  text({ required: true, max: 2_000, rule, description, examples: [URL_EXAMPLE] });

/** The URL of the operator's endpoints. */
export const ANY_URL = urlField(
  checkUrl,
  'The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password. A ' +
    'host in `WEBHOOK_ALLOWED_HOSTS` may have any address and port, and use http.',
);
/** The URL of a company's endpoints. */
export const SECURE_URL = urlField(
  checkSecureUrl,
  'The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password.',
);

const fields = {
  description: text({ examples: ['The accounting system'] }),
};

/** All filters, by type and by group. A ping is not among them: it is sent on request only. */
function eventFilters(eventTypes: readonly string[]) {
  const types = eventTypes.filter((type) => type !== 'webhook.ping');
  const groups = new Set(types.map((type) => `${type.split('.', 1)[0]}.*`));
  return Type.Array(named('EventFilter', Type.Enum([...types, ...groups])), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'The types of event that the endpoint gets, such as `invoice.created`, or groups of types, such as `invoice.*`. An ' +
      'empty list stands for all types.',
    examples: [['invoice.*', 'payment.captured']],
  });
}

/**
 * The bodies that create and change an endpoint, and send events to it again.
 * @param eventTypes - all event types that the features declare
 * @param side - the name of the bodies, and `ANY_URL` or `SECURE_URL`
 */
export function endpointBodies(eventTypes: readonly string[], { name, url }: { name: string; url: typeof ANY_URL }) {
  const types = Type.Optional(eventFilters(eventTypes));
  const description = Type.Optional(fields.description);
  return {
    create: namedObject(`Create${name}EndpointBody`, { url, description, types }),
    update: namedObject(`Update${name}EndpointBody`, {
      url: Type.Optional(url),
      description,
      types,
      status: Type.Optional(
        Type.Enum(['enabled', 'disabled'] as const, {
          description:
            '`disabled`: Paydesk sends no events to the endpoint, and its pending deliveries fail. `enabled`: Paydesk sends the ' +
            'events from now on.',
          examples: ['enabled'],
        }),
      ),
    }),
    replay: named(`${name}ReplayBody`, ReplayBody),
  };
}
export type EndpointBodies = ReturnType<typeof endpointBodies>;
export type CreateEndpointBody = Static<EndpointBodies['create']>;
export type UpdateEndpointBody = Static<EndpointBodies['update']>;

const endpointFields = {
  id: uuid(),
  url: Type.String({ examples: [URL_EXAMPLE] }),
  description: Type.String({ examples: ['The accounting system'] }),
  types: Type.Array(Type.String(), { examples: [['invoice.*', 'payment.captured']] }),
  status: Type.Enum(['enabled', 'failing', 'disabled'] as const, {
    description:
      '`failing`: all attempts to deliver an event have failed, and no event was delivered since. Paydesk still sends ' +
      'events. `disabled`: the endpoint answered 410, or somebody disabled it.',
    examples: ['enabled'],
  }),
  previousSecretUntil: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Until when Paydesk also signs with the secret before the last rotation. Null when it no longer does.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const Endpoint = namedObject('WebhookEndpoint', endpointFields);
export type Endpoint = Static<typeof Endpoint>;

export const EndpointWithSecret = namedObject('WebhookEndpointWithSecret', {
  ...endpointFields,
  secret: Type.String({
    description: 'The secret that Paydesk signs events with. It is shown only once.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
});
export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

export const EndpointList = namedObject('WebhookEndpointList', { data: Type.Array(Endpoint) });

export const DeliveryQuery = Type.Object({
  ...cursorQuery,
  state: Type.Optional(
    Type.Enum(['pending', 'delivered', 'failed'] as const, {
      description: 'Only deliveries in this state.',
      examples: ['failed'],
    }),
  ),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

const Delivery = namedObject('WebhookDelivery', {
  eventId: uuid('The id of the event, which is also the `webhook-id`.'),
  type: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The type of the event. Null when the event is older than 90 days.',
    examples: ['invoice.created'],
  }),
  state: Type.Enum(['pending', 'delivered', 'failed'] as const, { examples: ['delivered'] }),
  nextAttemptAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', examples: [null] }),
  createdAt: timestamp(),
  attempts: Type.Array(
    namedObject('WebhookAttempt', {
      createdAt: timestamp(),
      try: Type.Integer({
        description: 'The number of the attempt, from 1. A replay starts again from 1.',
        examples: [1],
      }),
      status: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The HTTP status of the answer. Null without an answer.',
        examples: [200],
      }),
      durationMs: Type.Integer({ examples: [84] }),
      failure: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description:
          'Why the attempt failed. Null when it succeeded. `status_not_2xx`: the endpoint answered with another status, such as ' +
          'a redirect. `timeout`: the endpoint did not answer within 15 seconds. `connection_failed`: the host name ' +
          'could not be resolved, or the connection or TLS failed. `address_refused`: the host name resolves to a ' +
          'private address. `secret_unreadable`: the keys of ' +
          'the service cannot decrypt the secret of the endpoint.',
        examples: [null],
      }),
      response: Type.String({ description: 'The first 1,024 bytes of the answer.', examples: ['ok'] }),
    }),
    { description: 'The attempts, oldest first.' },
  ),
});

export const DeliveryList = namedObject('WebhookDeliveryList', {
  perPage: Type.Integer({ examples: [10] }),
  nextCursor,
  data: Type.Array(Delivery),
});

export const ReplayBody = Type.Object(
  {
    eventId: Type.Optional(
      text({ description: 'The id of an event to send again.', examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
    ),
    startAt: Type.Optional(
      text({
        rule: checkInstant,
        description:
          'The beginning of a time range whose events are sent again. Send it with `endAt` instead of `eventId`.',
        examples: ['2026-10-01T00:00:00Z'],
      }),
    ),
    endAt: Type.Optional(
      text({
        rule: checkInstant,
        description: 'The end of the time range. An event at this instant is not in it.',
        examples: ['2026-10-02T00:00:00Z'],
      }),
    ),
  },
  {
    'x-documented': { oneOf: [{ required: ['eventId'] }, { required: ['startAt', 'endAt'] }] },
    examples: [{ startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' }],
  },
);
export type ReplayBody = Static<typeof ReplayBody>;

export const Replay = namedObject('WebhookReplay', {
  scheduled: Type.Integer({
    description: 'How many events are sent again. If there are more than 10,000, the oldest 10,000 are sent.',
    examples: [12],
  }),
  continueAt: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'If more events remain, the `startAt` of the next request. Otherwise null.',
    examples: [null],
  }),
});
export type Replay = Static<typeof Replay>;

export const Ping = namedObject('WebhookTest', {
  eventId: uuid('The `webhook-id` of the test event. The list of deliveries shows its outcome.'),
});
