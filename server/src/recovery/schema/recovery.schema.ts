import type { Static, TObject } from 'typebox';
import { DOCUMENT_NUMBER, isDocumentNumber } from '../../billing/numbering/numbering.service.ts';
import { companyIds, companyIdsOrNull, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { documentedRule, patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const orNull = <T>(type: string, description: string, example: T | null, format?: string) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], ...(format && { format }), description, examples: [example] });
const textOrNull = (description: string, example: string | null) => orNull<string>('string', description, example);
const idOrNull = (description: string, example: string | null = ID) => orNull('string', description, example, 'uuid');
const timeOrNull = (description: string, example: string | null) =>
  orNull<Date>('string', description, example as Date | null, 'date-time');
const example = (value: string) => Type.String({ examples: [value] });
const count = (description?: string) => Type.Integer({ ...(description && { description }), examples: [3] });

/* The hold and the journals. */

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
  comparedFrom: timeOrNull(
    'The gateways are compared from this time on; null before the first comparison.',
    '2026-09-30T22:00:00.000Z',
  ),
  lastPassAt: timeOrNull(
    'When the last comparison (pass) began; null before the first one.',
    '2026-10-01T00:00:30.000Z',
  ),
  found: orNull('integer', 'The number of open cases after the last comparison; null before the first one.', 3),
};

export const RecoveryJournal = namedObject('RecoveryJournal', {
  id: uuid(),
  host: Type.String({ description: 'The machine that keeps the journal.', examples: ['billing-1'] }),
  directory: example(`/var/lib/paydesk-journal/${ID}`),
  isKept: Type.Boolean({ description: 'Whether a running process keeps the journal.', examples: [true] }),
  seenAt: timestamp(),
  readAt: timeOrNull('When the journal was last read completely during a hold.', '2026-10-01T00:00:30.000Z'),
  lacks: textOrNull(
    'An object at a gateway that no journal mentions, unless it was declared lost. Either a journal was restored to an earlier ' +
      'state together with the database, or a journal is missing. A hold does not end while there is one.',
    null,
  ),
  lostAt: timeOrNull('When the journal was declared lost.', null),
  missing: Type.Boolean({
    description:
      'Whether the hold waits for the journal: it was neither read completely during the hold nor declared lost.',
    examples: [false],
  }),
});

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
    person: count(
      'The number of cases that wait for a person, without `open_invoices` and without cases whose alert was acknowledged.',
    ),
    done: count(),
  }),
});
export type Recovery = Static<typeof Recovery>;

export const JournalLinesBody = namedObject('JournalLinesBody', {
  lines: Type.Array(Type.String({ description: 'A line of a file of the journal, unchanged.', maxLength: 4_194_304 }), {
    maxItems: 10_000,
    description: 'The lines of the files, in the order in which the files were last written, the oldest first.',
    examples: [['{"check":"2026-10-01T00:00:00.000Z"}']],
  }),
  installation: Type.Optional(
    text({
      rule: patternRule(UUID, 'must be the id of a database'),
      description:
        'The id of the database that wrote the journal: `installation` in the `journal.json` of the journal, if the file has it. ' +
        'The request is refused if the id is not that of this database.',
      examples: [ID],
    }),
  ),
  isLast: Type.Boolean({
    description: 'Whether these are the last lines. With them, the journal counts as read.',
    examples: [true],
  }),
});

export const JournalLinesAdded = namedObject('JournalLinesAdded', {
  missing: Type.Integer({ description: 'The number of marks in these lines that the database lacks.', examples: [0] }),
});

export const RecoveryPass = namedObject('RecoveryPass', {
  held: Type.Boolean({ description: 'Whether the database holds charges after the comparison.', examples: [true] }),
  found: count('The number of open cases.'),
});

/* The cases. */

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
      'The kind of the record. An object at a gateway is a `payment` or a `refund`. An entry of a journal can also be a ' +
      '`company`, an `invoice`, a `void`, a `credit_note` or a `credit_entry`. `open_invoices` stands for the invoices that wait for a ' +
      'release. Further kinds may be added.',
    examples: ['invoice'],
  }),
  ...companyIdsOrNull('The company that the case is about. Null if it is unknown.'),
  invoiceId: idOrNull('The invoice that the case is about; null where it is unknown.'),
  number: textOrNull('The number of the document, or of the invoice that the case is about.', 'INV-000042'),
  gateway: textOrNull('The gateway that has the object; null for an entry of a journal.', null),
  gatewayObjectId: textOrNull("The gateway's id of the object.", null),
  amount: textOrNull('The amount in major units. Null if the case has no amount, or is done.', '48.00'),
  currency: textOrNull('The currency of the amount. Null if it is not known.', 'USD'),
  happenedAt: timestamp(),
  state: Type.Enum(CASE_STATES, {
    description:
      '`open`: not processed yet. `done`: the database has the record again, or does not need it. `person`: a person has to ' +
      'decide.',
    examples: ['open'],
  }),
  plan: textOrNull(
    'A sentence that says what will be done about an open case; null otherwise.',
    'The invoice is written again as it was issued, with its number.',
  ),
  note: textOrNull(
    'What was done. If a person has to decide, it says what is known and which command carries out each decision. ' +
      'Null while the case is open.',
    null,
  ),
  acknowledgedAt: timeOrNull('When a person acknowledged the alert of the case.', null),
});
export const RecoveryCaseList = pageOf('RecoveryCaseList', RecoveryCase);
export type RecoveryCaseList = Static<typeof RecoveryCaseList>;

export const AdoptBody = namedObject('AdoptBody', {
  companies: Type.Optional(
    Type.Array(
      namedObject('CompanyReplacement', {
        companyId: companyIdText({ description: 'A company that the database lacks.' }),
        newCompanyId: companyIdText({
          description: 'The company that gets what belonged to the company that the database lacks.',
          examples: ['0198f2d4-8a2b-7c4d-8e6f-1a2b3c4d5e6f'],
        }),
      }),
      {
        maxItems: 1_000,
        description:
          'Assigns the records of a company that is not in the database to another company. Cases that were left to a person for ' +
          'that reason are processed again.',
      },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1_000, examples: [100] },
      description: 'The maximum number of cases to process; 1000 when absent.',
    }),
  ),
});

export const Adopted = namedObject('Adopted', {
  decided: Type.Array(
    namedObject('DecidedCase', {
      id: uuid(),
      state: Type.Enum(['done', 'person'] as const, { examples: ['done'] }),
      note: Type.String({
        description:
          'What was done. If a person has to decide, it says what is known and which command carries out each decision.',
        examples: ['Invoice INV-000042 is in the books again.'],
      }),
    }),
    { description: 'The cases that this pass processed, the oldest charge or refund first.' },
  ),
  remaining: Type.Integer({
    description: 'The number of open cases that are left. Send the same request again until it is 0.',
    examples: [0],
  }),
});

/* What a person decides. */

const OUTCOMES = ['accepted', 'refunded', 'released'] as const;
const outcome = (description: string) => Type.Enum(OUTCOMES, { description, examples: ['refunded'] });

export const ResolveCaseBody = namedObject(
  'ResolveCaseBody',
  {
    outcome: outcome(
      '`accepted`: a second capture of a debt becomes credit of its company. `refunded`: a capture that pays no invoice is refunded. ' +
        '`released`: invoices that wait are charged again; only for a case of the kind `open_invoices`.',
    ),
    invoices: Type.Optional(
      Type.Array(
        text({
          required: true,
          rule: documentedRule({ pattern: DOCUMENT_NUMBER }, (value) =>
            isDocumentNumber(value) ? [] : ['must be the number of an invoice'],
          ),
          examples: ['INV-000042'],
        }),
        {
          ...{ minItems: 1, maxItems: 1_000 },
          description:
            'With `released`: the numbers of the invoices, in upper or lower case. When absent, all invoices that wait are released.',
        },
      ),
    ),
  },
  { examples: [{ outcome: 'refunded' }] },
);
export type ResolveCaseBody = Static<typeof ResolveCaseBody>;

export const CaseResolution = namedObject('CaseResolution', {
  outcome: outcome('The decision.'),
  gateway: textOrNull('The gateway of the capture; null after `released`.', 'stripe'),
  gatewayPaymentId: textOrNull("The gateway's id of the capture.", 'pi_3Rq2vYKdNfxT0aZb1c8mWpeL'),
  gatewayRefundId: textOrNull("The gateway's id of the refund.", 're_3Rq2vYKdNfxT0aZb1Xy4HkQm'),
  amount: textOrNull(
    'The amount that became credit, or that was refunded now: 0 if nothing was left to refund.',
    '48.00',
  ),
  currency: textOrNull('The currency of `amount`.', 'USD'),
  ...companyIdsOrNull('The company that got the credit, after `accepted`.'),
  invoiceId: idOrNull('The invoice that was charged a second time.'),
  paymentId: idOrNull('The payment that records the accepted capture. Its amount is not applied to the invoice.'),
  released: Type.Integer({
    description: 'The number of open invoices that waited and can be charged now.',
    examples: [12],
  }),
  unknown: Type.Array(Type.String(), {
    description: 'The numbers of the request that belong to no invoice awaiting its release.',
    examples: [['INV-000043']],
  }),
});
export type CaseResolution = Static<typeof CaseResolution>;

export const WaitingInvoiceQuery = Type.Object(pageQuery);
export type WaitingInvoiceQuery = Static<typeof WaitingInvoiceQuery>;

const WaitingInvoice = namedObject('WaitingInvoice', {
  id: uuid(),
  ...companyIds,
  number: example('INV-000042'),
  buyer: Type.String({
    description: 'The name on the invoice, or the e-mail if there is no name.',
    examples: ['Acme Ltd'],
  }),
  amountDue: Type.String({ description: 'The amount that is neither paid nor credited.', examples: ['48.00'] }),
  paymentUnderReview: idOrNull('The payment of the invoice that is under review. Resolve this payment first.', null),
  currency: example('USD'),
  dueAt: timestamp('2026-11-16T09:00:00.000Z'),
});
export type WaitingInvoice = Static<typeof WaitingInvoice>;
export const WaitingInvoiceList = pageOf('WaitingInvoiceList', WaitingInvoice);
export type WaitingInvoiceList = Static<typeof WaitingInvoiceList>;
