import type { Static } from 'typebox';
import { AUDIT_ACTIONS } from '../platform/audit-actions.ts';
import { companyIdsOrNull, companyIdText } from '../platform/http/company-ids/company-id.ts';
import { ACTOR_KINDS } from '../platform/http/route/actor.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { checkDateOrInstant } from '../platform/http/schema/instants.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { pageNumber, pageOf, pageQuery, pageSize, snakeCasePageOf } from '../platform/http/schema/pagination.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';

const EXAMPLE_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const EXAMPLE_HASH = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

const nullableText = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });

const filters = {
  action: Type.Optional(
    text({ required: true, description: 'Only entries of this action.', examples: ['card.created'] }),
  ),
  actor: Type.Optional(
    text({ required: true, description: 'Only entries of the actor with this id.', examples: [EXAMPLE_ID] }),
  ),
  target: Type.Optional(
    text({ required: true, description: 'Only entries about the object with this id.', examples: [EXAMPLE_ID] }),
  ),
  from: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Only entries at this date or instant, or later.',
      examples: ['2026-10-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'Only entries before this instant. A date without a time includes that day.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
};
const requestId = Type.Optional(
  text({
    required: true,
    description: 'Only entries of the request with this id, as its answer has in `X-Request-Id`.',
    examples: [EXAMPLE_ID],
  }),
);
const companyFilters = { ...filters, request_id: requestId };
const operatorFilters = { ...filters, requestId };
const companyFilter = {
  companyId: Type.Optional(companyIdText({ description: 'Only the log of this company.' })),
};

export const AuditFileQuery = Type.Object(companyFilters);
export type AuditFileQuery = Static<typeof AuditFileQuery>;

export const AuditQuery = Type.Object({ page: pageNumber(), per_page: pageSize(), ...companyFilters });
export type AuditQuery = Static<typeof AuditQuery>;

export const OperatorAuditFileQuery = Type.Object({ ...companyFilter, ...operatorFilters });
export type OperatorAuditFileQuery = Static<typeof OperatorAuditFileQuery>;

export const OperatorAuditQuery = Type.Object({ ...pageQuery, ...companyFilter, ...operatorFilters });
export type OperatorAuditQuery = Static<typeof OperatorAuditQuery>;

const actor = {
  kind: Type.Enum(ACTOR_KINDS, { examples: ['user'] }),
  id: nullableText(
    'The id of the actor; of a customer session the id of its person in your product, or its own. Null for an actor without an id, such ' +
      'as the system.',
    EXAMPLE_ID,
  ),
  name: Type.String({
    description: 'The name of the actor. Empty once the account is deleted.',
    examples: ['Ada Lovelace'],
  }),
  key: Type.Optional(
    Type.String({
      description: 'Of a customer session: the name of the operator key that opened it.',
      examples: ['Product'],
    }),
  ),
  ip: nullableText('The IP address of the request. Null for background work.', '192.0.2.7'),
};
const USER_AGENT = nullableText('The `User-Agent` of the request, at most 255 characters.', 'Mozilla/5.0');

const target = Type.Unsafe<{ kind: string; id: string | null; name: string } | null>({
  type: ['object', 'null'],
  description:
    'The object that was changed. Null for an action that changes no object. The name of a user is empty once the account ' +
    'is deleted.',
  properties: {
    kind: { type: 'string', examples: ['card'] },
    id: { type: ['string', 'null'], examples: [EXAMPLE_ID] },
    name: { type: 'string', examples: ['4242********4242'] },
  },
  required: ['kind', 'id', 'name'],
});

const changes = Type.Unsafe<{ before: Record<string, unknown>; after: Record<string, unknown> } | null>({
  type: ['object', 'null'],
  description:
    'The values of the changed fields before and after, under their names in the API. Secrets are left out. Null if no ' +
    'field was changed.',
  properties: {
    before: { type: 'object', additionalProperties: true, examples: [{ isDefault: false }] },
    after: { type: 'object', additionalProperties: true, examples: [{ isDefault: true }] },
  },
  required: ['before', 'after'],
});

const entry = {
  id: uuid(),
  sequence: Type.Integer({
    description: 'The position of the entry in its chain, from 1 and without a gap.',
    examples: [42],
  }),
  at: timestamp(),
  action: Type.Enum(AUDIT_ACTIONS, {
    description: 'The kind of the object and what happened to it. Later versions may add actions.',
    examples: ['card.updated'],
  }),
  target,
  changes,
};
const HASH = Type.String({
  description: 'SHA-256, in hexadecimal digits, over the entry and the hash of the entry before it.',
  examples: [EXAMPLE_HASH],
});
const PREVIOUS_HASH = nullableText(
  'The hash of the entry before it. Null for the first entry of a chain.',
  EXAMPLE_HASH,
);
const REQUEST_ID = nullableText('The `X-Request-Id` of the request. Null for background work.', EXAMPLE_ID);

const AuditEntry = namedObject('AuditEntry', {
  ...entry,
  actor: namedObject(
    'AuditActor',
    { ...actor, user_agent: USER_AGENT },
    { description: 'Who made the change or the login.' },
  ),
  request_id: REQUEST_ID,
  previous_hash: PREVIOUS_HASH,
  hash: HASH,
});

const OperatorAuditEntry = namedObject('OperatorAuditEntry', {
  ...entry,
  ...companyIdsOrNull('The company whose log has the entry. Null for an entry that concerns no company.'),
  companyName: nullableText(
    'The name under which lists show the company. Null without a company.',
    'Analytical Engines',
  ),
  actor: namedObject(
    'OperatorAuditActor',
    { ...actor, userAgent: USER_AGENT },
    { description: 'Who made the change or the login.' },
  ),
  requestId: REQUEST_ID,
  previousHash: PREVIOUS_HASH,
  hash: HASH,
});

export const AuditEntryList = snakeCasePageOf('AuditEntryList', AuditEntry);

export const OperatorAuditEntryList = pageOf('OperatorAuditEntryList', OperatorAuditEntry);

export const AuditVerificationQuery = Type.Object({
  cursor: Type.Optional(
    text({
      required: true,
      description: 'The `nextCursor` of the previous answer. Leave it out in the first request.',
      examples: [`${EXAMPLE_ID}.5000`],
    }),
  ),
});
export type AuditVerificationQuery = Static<typeof AuditVerificationQuery>;

export const AUDIT_PROBLEMS = ['missing', 'changed', 'link', 'head'] as const;

export const AuditVerification = namedObject('AuditVerification', {
  checked: Type.Integer({ description: 'How many entries this answer covers.', examples: [5000] }),
  problems: Type.Array(
    namedObject('AuditProblem', {
      ...companyIdsOrNull(
        'The company whose chain has the entry. Null for the chain of the entries that concern no company.',
      ),
      sequence: Type.Integer({ description: 'The position of the entry in its chain.', examples: [42] }),
      problem: Type.Enum(AUDIT_PROBLEMS, {
        description:
          '`missing`: the entry is missing. `changed`: the content of the entry does not match its hash. `link`: the entry does ' +
          'not contain the hash of the entry before it. `head`: the chain ends with this entry, but Paydesk has recorded another ' +
          'end.',
        examples: ['changed'],
      }),
    }),
  ),
  nextCursor: nullableText('The `cursor` of the next request. Null once all chains were checked.', null),
});
export type AuditVerification = Static<typeof AuditVerification>;
