import type { Static, TObject } from 'typebox';
import { companyIdsOrNull } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { Type } from '../../../platform/http/schema/type.ts';

const nullableText = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });
const nullableUuid = (description: string) =>
  Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], format: 'uuid', description },
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  });
const nullableTime = (description: string, example: string | null) =>
  Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] });

const holdFields = {
  id: uuid(),
  reason: Type.String({ description: 'For people.', examples: ['The database lacks a payment that the gateway has.'] }),
  since: timestamp(),
  until: Type.Unsafe<Date>({
    ...{ type: 'string', format: 'date-time', examples: ['2026-10-01T00:01:00.000Z'] },
    description:
      'It does not end before, because gateways list a request only after some time. It ends with a pass that finds nothing.',
  }),
  comparedFrom: nullableTime(
    'From when on the gateways are compared; null before the first pass.',
    '2026-09-30T22:00:00.000Z',
  ),
  lastPassAt: nullableTime('When the last pass began; null before the first one.', '2026-10-01T00:00:30.000Z'),
  found: Type.Unsafe<number | null>({
    ...{ type: ['integer', 'null'], examples: [3] },
    description: 'How many open cases the last pass has counted; null before the first one.',
  }),
};

export const RecoveryJournal = namedObject('RecoveryJournal', {
  id: uuid(),
  host: Type.String({ description: 'The machine that keeps it.', examples: ['billing-1'] }),
  directory: Type.String({ examples: ['/var/lib/paydesk-journal/0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
  isKept: Type.Boolean({ description: 'Whether a running process keeps it.', examples: [true] }),
  seenAt: timestamp(),
  readAt: nullableTime('When a hold has last read it whole.', '2026-10-01T00:00:30.000Z'),
  damage: nullableText(
    'The files and lines of it that could not be read, unless somebody has given them up. A hold does not end with them.',
    null,
  ),
  lacks: nullableText(
    'What a gateway has made and no journal that was read has, unless somebody has given it up: this journal or another one went back ' +
      'with the database, or another one is missing. A hold does not end with it.',
    null,
  ),
  lostAt: nullableTime('When it was declared lost.', null),
  missing: Type.Boolean({
    description: 'Whether the hold waits for it: it was neither read whole during the hold nor declared lost.',
    examples: [false],
  }),
});

const count = () => Type.Integer({ examples: [3] });

export const Recovery = namedObject('Recovery', {
  hold: named(
    'RecoveryHold',
    Type.Unsafe<Static<TObject<typeof holdFields>> | null>({
      type: ['object', 'null'],
      properties: holdFields,
      required: Object.keys(holdFields),
      description: 'Null while the database does not hold charges.',
    }),
  ),
  journals: Type.Array(RecoveryJournal),
  cases: namedObject('RecoveryCaseCounts', {
    open: count(),
    person: Type.Integer({
      description: 'Without those whose alert was acknowledged, and without `open_invoices`.',
      examples: [1],
    }),
    done: count(),
  }),
});
export type Recovery = Static<typeof Recovery>;

const CASE_STATES = ['open', 'done', 'person'] as const;

export const CaseQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(Type.Enum(CASE_STATES, { description: 'Only cases in this state.', examples: ['open'] })),
});
export type CaseQuery = Static<typeof CaseQuery>;

const RecoveryCase = namedObject('RecoveryCase', {
  id: uuid(),
  source: Type.Enum(['gateway', 'journal'] as const, { description: 'What has it.', examples: ['journal'] }),
  kind: Type.String({
    description:
      'An object at a gateway is a `payment` or a `refund`; an entry of a ' +
      'journal is also an `invoice`, a `void`, a `credit_note` or a `credit_entry`. `open_invoices` is about the invoices that ' +
      'wait for a release. There may be more.',
    examples: ['invoice'],
  }),
  ...companyIdsOrNull('Null where it is unknown.'),
  invoiceId: nullableUuid('The invoice that it is about, as far as that is known.'),
  number: nullableText('The number of the document, or of the invoice that it is about.', 'INV-000042'),
  gateway: nullableText('Where the object is; null of an entry of a journal.', null),
  gatewayObjectId: nullableText("The gateway's id of the object.", null),
  amount: nullableText('In major units; null where there is none, or where it is done.', '48.00'),
  currency: nullableText('Null where it is not known.', 'USD'),
  happenedAt: timestamp(),
  state: Type.Enum(CASE_STATES, {
    description:
      '`open`: nobody has dealt with it. `done`: the database has it again, or needs nothing. `person`: somebody has to decide.',
    examples: ['open'],
  }),
  plan: nullableText(
    'What will be done about an open case, for people; null otherwise.',
    'It is written again as it was issued, with its number.',
  ),
  note: nullableText(
    'What was done; or what is known, what can be done, and by which command. Null while it is open.',
    null,
  ),
  acknowledgedAt: nullableTime('When a person acknowledged the alert of a case that was left to one.', null),
});

export const RecoveryCaseList = pageOf('RecoveryCaseList', RecoveryCase);
export type RecoveryCaseList = Static<typeof RecoveryCaseList>;
