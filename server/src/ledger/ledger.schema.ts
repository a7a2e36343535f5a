import type { Static } from 'typebox';
import { companyIdsOrNull, companyIdText } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { checkInstant } from '../platform/http/schema/instants.ts';
import { named, namedObject } from '../platform/http/schema/named.ts';
import { pageQuery } from '../platform/http/schema/pagination.ts';
import { patternRule, UUID } from '../platform/http/schema/text-rules.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';

const KINDS = [
  'invoice_issued',
  'invoice_voided',
  'credit_granted',
  'credit_corrected',
  'credit_carried_over',
  'credit_consumed',
  'credit_returned',
  'payment_captured',
  'credit_note_issued',
  'refund_sent',
  'dispute_withdrawn',
  'dispute_reinstated',
  'dispute_lost',
  'dispute_recovered',
  'gateway_fee',
  'payout',
  'payout_failed',
] as const;

const ACCOUNT =
  'receivable|revenue|tax|credit|goodwill|refunds_due|disputed|dispute_losses|unallocated|gateway_fees|bank|cash:[a-z0-9_-]{1,40}';

const idFilter = (description: string, message: string) =>
  Type.Optional(
    text({
      required: true,
      rule: patternRule(UUID, message),
      description,
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  );

const filters = {
  companyId: Type.Optional(named('LedgerCompany', companyIdText({ description: 'Only postings of this company.' }))),
  account: Type.Optional(
    named(
      'LedgerAccount',
      text({
        required: true,
        rule: patternRule(ACCOUNT, 'must be an account, such as receivable or cash:sandbox'),
        description: 'Only postings to this account.',
        examples: ['receivable'],
      }),
    ),
  ),
  invoiceId: idFilter('Only postings about this invoice.', 'must be the id of an invoice'),
  sourceId: idFilter('Only postings of the record with this id.', 'must be the id of a record'),
  from: Type.Optional(
    named('PostedFrom', text({ required: true, rule: checkInstant, description: 'Posted at this instant or later.' })),
  ),
  to: Type.Optional(
    named('PostedTo', text({ required: true, rule: checkInstant, description: 'Posted before this instant.' })),
  ),
};

export const LedgerFileQuery = Type.Object(filters);
export type LedgerFileQuery = Static<typeof LedgerFileQuery>;

export const LedgerQuery = Type.Object({
  ...filters,
  perPage: pageQuery.perPage,
  cursor: Type.Optional(
    text({
      required: true,
      rule: patternRule('[0-9]{1,16}-[0-9]{1,18}', 'must be the nextCursor of the previous page'),
      description: 'The `nextCursor` of the previous page; absent for the first page.',
    }),
  ),
});
export type LedgerQuery = Static<typeof LedgerQuery>;

export const BalancesQuery = Type.Object({ companyId: filters.companyId, to: filters.to });
export type BalancesQuery = Static<typeof BalancesQuery>;

const account = Type.String({
  description:
    '`receivable`: what companies owe. `cash:<gateway>`: what a gateway took and did not return, keep or pay out. `credit`: ' +
    'the credit of companies. `refunds_due`: what is to be refunded and was not yet. `disputed`: what gateways withdrew for ' +
    'disputes that may still be won. `dispute_losses`: what was lost in disputes. `unallocated`: captures that belong to no ' +
    'company here, until they are refunded. `gateway_fees`: what gateways took for themselves. `bank`: what they paid out. ' +
    '`revenue`: what was invoiced, without tax. `tax`: the tax that was invoiced. `goodwill`: the ' +
    'cost of granted credit.',
  examples: ['receivable'],
});
const currency = Type.String({ examples: ['USD'] });

const Posting = namedObject('LedgerPosting', {
  ...companyIdsOrNull(
    'The company of the posting. Null for a payout, for a capture that belongs to no company in the database, ' +
      'and for its fee and its refund.',
  ),
  kind: Type.Enum(KINDS, { description: 'What caused the entry.', examples: ['invoice_issued'] }),
  sourceId: uuid(
    'The id of the record that caused the entry: an invoice, payment, credit entry, credit note, refund, movement of a ' +
      'dispute, fee or payout. `kind` and this id together identify the entry.',
  ),
  invoiceId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The invoice that the entry is about; null for credit without an invoice.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
  companyName: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The name of the company, as in the other lists of the operator. Null without a company.',
    examples: ['Analytical Engines'],
  }),
  invoiceNumber: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The number of the invoice. Null without an invoice.',
    examples: ['INV-000001'],
  }),
  account,
  currency,
  amount: Type.String({
    description: 'Positive: debit. Negative: credit. The postings of an entry add up to zero.',
    examples: ['57.60'],
  }),
  createdAt: timestamp(),
});
export type Posting = Static<typeof Posting>;

export const PostingList = namedObject('LedgerPostingList', {
  perPage: Type.Integer({ examples: [10] }),
  nextCursor: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The cursor of the next page; null on the last one.',
    examples: ['1790812800000-42'],
  }),
  data: Type.Array(Posting),
});
export type PostingList = Static<typeof PostingList>;

export const BalanceList = namedObject('LedgerBalanceList', {
  data: Type.Array(
    namedObject('LedgerBalance', {
      account,
      currency,
      balance: Type.String({
        description: 'The sum of the postings of the account: positive is debit.',
        examples: ['57.60'],
      }),
    }),
  ),
});
export type BalanceList = Static<typeof BalanceList>;
