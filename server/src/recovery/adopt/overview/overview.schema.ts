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
  reason: Type.String({
    description: 'Why charges are held, as a sentence for people.',
    examples: ['The database lacks a payment that the gateway has.'],
  }),
  since: timestamp(),
  until: Type.Unsafe<Date>({
    ...{ type: 'string', format: 'date-time', examples: ['2026-10-01T00:01:00.000Z'] },
    description:
      'The hold does not end before this time, because gateways list a new object only after some time. It ends with a ' +
      'comparison that finds nothing missing.',
  }),
  comparedFrom: nullableTime(
    'The gateways are compared from this time on; null before the first comparison.',
    '2026-09-30T22:00:00.000Z',
  ),
  lastPassAt: nullableTime(
    'When the last comparison (pass) began; null before the first one.',
    '2026-10-01T00:00:30.000Z',
  ),
  found: Type.Unsafe<number | null>({
    ...{ type: ['integer', 'null'], examples: [3] },
    description: 'The number of open cases after the last comparison; null before the first one.',
  }),
};

export const RecoveryJournal = namedObject('RecoveryJournal', {
  id: uuid(),
  host: Type.String({ description: 'The machine that keeps the journal.', examples: ['billing-1'] }),
  directory: Type.String({ examples: ['/var/lib/paydesk-journal/0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
  isKept: Type.Boolean({ description: 'Whether a running process keeps the journal.', examples: [true] }),
  seenAt: timestamp(),
  readAt: nullableTime('When the journal was last read completely during a hold.', '2026-10-01T00:00:30.000Z'),
  damage: nullableText(
    'The files and lines of the journal that could not be read and were not declared lost. A hold does not end while there are ' +
      'any.',
    null,
  ),
  lacks: nullableText(
    'An object at a gateway that no journal mentions, unless it was declared lost. Either a journal was restored to an earlier ' +
      'state together with the database, or a journal is missing. A hold does not end while there is one.',
    null,
  ),
  lostAt: nullableTime('When the journal was declared lost.', null),
  missing: Type.Boolean({
    description:
      'Whether the hold waits for the journal: it was neither read completely during the hold nor declared lost.',
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
      description: 'The hold; null while the database does not hold charges.',
    }),
  ),
  journals: Type.Array(RecoveryJournal),
  cases: namedObject('RecoveryCaseCounts', {
    open: count(),
    person: Type.Integer({
      description:
        'The number of cases that wait for a person, without `open_invoices` and without cases whose alert was acknowledged.',
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
  source: Type.Enum(['gateway', 'journal'] as const, {
    description: 'Where the missing record was found: at a gateway or in a journal.',
    examples: ['journal'],
  }),
  kind: Type.String({
    description:
      'The kind of the record. An object at a gateway is a `payment` or a `refund`. An entry of a journal can also be an ' +
      '`invoice`, a `void`, a `credit_note` or a `credit_entry`. `open_invoices` stands for the invoices that wait for a ' +
      'release. Further kinds may be added.',
    examples: ['invoice'],
  }),
  ...companyIdsOrNull('The company that the case is about. Null if it is unknown.'),
  invoiceId: nullableUuid('The invoice that the case is about; null where it is unknown.'),
  number: nullableText('The number of the document, or of the invoice that the case is about.', 'INV-000042'),
  gateway: nullableText('The gateway that has the object; null for an entry of a journal.', null),
  gatewayObjectId: nullableText("The gateway's id of the object.", null),
  amount: nullableText('The amount in major units. Null if the case has no amount, or is done.', '48.00'),
  currency: nullableText('The currency of the amount. Null if it is not known.', 'USD'),
  happenedAt: timestamp(),
  state: Type.Enum(CASE_STATES, {
    description:
      '`open`: not processed yet. `done`: the database has the record again, or does not need it. `person`: a person has to ' +
      'decide.',
    examples: ['open'],
  }),
  plan: nullableText(
    'A sentence that says what will be done about an open case; null otherwise.',
    'The invoice is written again as it was issued, with its number.',
  ),
  note: nullableText(
    'What was done. If a person has to decide: what is known, and the command for each decision. Null while the case is open.',
    null,
  ),
  acknowledgedAt: nullableTime('When a person acknowledged the alert of the case.', null),
});

export const RecoveryCaseList = pageOf('RecoveryCaseList', RecoveryCase);
export type RecoveryCaseList = Static<typeof RecoveryCaseList>;
