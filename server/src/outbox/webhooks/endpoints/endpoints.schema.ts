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
  'Where events are sent: https on port 443 or 8443, at a public address, without user or password; a host in `WEBHOOK_ALLOWED_HOSTS` ' +
    'may be anywhere, over http too.',
);
/** The URL of a company's endpoints. */
export const SECURE_URL = urlField(
  checkSecureUrl,
  'Where events are sent: https on port 443 or 8443, at a public address, without user or password.',
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
      'Which events are sent: types such as `invoice.created`, groups such as `invoice.*`. Empty is all of them.',
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
            '`disabled`: no events are sent, and pending deliveries fail. `enabled` again: events from then on are sent.',
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
      '`failing`: an event was not delivered in all its tries, and none has been since; events are still sent. ' +
      '`disabled`: it answered 410, or was disabled here.',
    examples: ['enabled'],
  }),
  previousSecretUntil: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Until when the secret before the last rotation signs too.',
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
    description: 'Signs what is sent. Shown only once.',
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
  eventId: uuid('Also the `webhook-id`.'),
  type: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null when the event is older than 90 days.',
    examples: ['invoice.created'],
  }),
  state: Type.Enum(['pending', 'delivered', 'failed'] as const, { examples: ['delivered'] }),
  nextAttemptAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', examples: [null] }),
  createdAt: timestamp(),
  attempts: Type.Array(
    namedObject('WebhookAttempt', {
      createdAt: timestamp(),
      try: Type.Integer({ description: 'From 1; anew after a replay.', examples: [1] }),
      status: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The status of the answer; null without one.',
        examples: [200],
      }),
      durationMs: Type.Integer({ examples: [84] }),
      failure: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description:
          'Why it failed; null when it did not. `status_not_2xx`: another answer, a redirect too. `timeout`: none within 15 seconds. ' +
          '`connection_failed`: no such name, no connection, or no TLS. `address_refused`: the name is of a private address. ' +
          '`secret_unreadable`: the key file of the service does not fit its database.',
        examples: [null],
      }),
      response: Type.String({ description: 'The first 1,024 bytes of the answer.', examples: ['ok'] }),
    }),
    { description: 'Each try, the oldest first.' },
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
      text({ description: 'Sends this event again.', examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
    ),
    startAt: Type.Optional(
      text({
        rule: checkInstant,
        description: 'With `endAt`, instead of `eventId`: replays what happened from here on.',
        examples: ['2026-10-01T00:00:00Z'],
      }),
    ),
    endAt: Type.Optional(
      text({ rule: checkInstant, description: 'Before this instant.', examples: ['2026-10-02T00:00:00Z'] }),
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
    description: 'How many events are sent again: the oldest first, at most 10,000.',
    examples: [12],
  }),
  continueAt: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When there are more: the `startAt` to go on with.',
    examples: [null],
  }),
});
export type Replay = Static<typeof Replay>;

export const Ping = namedObject('WebhookTest', {
  eventId: uuid('The `webhook-id` of what is sent; the deliveries show its outcome.'),
});
