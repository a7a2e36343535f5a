import type { Static } from 'typebox';
import { companyIdsOrNull } from '../../platform/http/company-ids/company-id.ts';
import { checkInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

/** A stage and the position in it: the gateway's own cursor in its books, a time and an id in ours. */
const CURSOR =
  '(?:captures|refunds|disputes|fees|payouts)(?::[^\\u0000]*)?|' +
  `(?:captured|refunded|disputed|charged|paid_out)(?::(?:[0-9]{1,14}_(?:${UUID}))?)?`;

const filters = {
  gateway: Type.Optional(
    text({
      required: true,
      description: 'The gateway whose books are compared. When absent: the gateway that takes new cards.',
      examples: ['sandbox'],
    }),
  ),
  from: Type.Optional(
    text({
      required: true,
      rule: checkInstant,
      description:
        'Entries that were made at this instant or later. When absent: the beginning of the month (UTC) in which the period ends.',
      examples: ['2026-10-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    text({
      required: true,
      rule: checkInstant,
      description:
        'Entries that were made before this instant. When absent: now. Choose an instant in the past: a payment that is running ' +
        'differs for a moment.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
};

export const ReconciliationFileQuery = Type.Object(filters);
export type ReconciliationFileQuery = Static<typeof ReconciliationFileQuery>;

export const ReconciliationQuery = Type.Object({
  ...filters,
  cursor: Type.Optional(
    text({
      required: true,
      rule: patternRule(CURSOR, 'must be the nextCursor of the previous page'),
      description:
        'The `nextCursor` of the previous page; absent for the first page. Send it with `from` and `to` of the previous page.',
    }),
  ),
});
export type ReconciliationQuery = Static<typeof ReconciliationQuery>;

const id = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

const orNull = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });

const side = (description: string) =>
  Type.Unsafe<{ amount: string; currency: string; status: string } | null>({
    type: ['object', 'null'],
    description,
    properties: { amount: { type: 'string' }, currency: { type: 'string' }, status: { type: 'string' } },
    required: ['amount', 'currency', 'status'],
    examples: [{ amount: '57.60', currency: 'USD', status: 'captured' }],
  });

/** What the gateway's object says that it is for. */
export type Purpose = {
  debt: string | null;
  companyId: string | null;
  invoiceId: string | null;
  invoiceNumber: string | null;
  isInvoiceHere: boolean;
};

export const Difference = namedObject('ReconciliationDifference', {
  kind: Type.Enum(['missing_here', 'missing_there', 'amount', 'state'], {
    description:
      '`missing_here`: the gateway has the record, Paydesk lacks it. `missing_there`: Paydesk has the record, the gateway lacks ' +
      'it. `amount`: the amounts or currencies differ. `state`: the gateway took or returned the money, and Paydesk has not ' +
      'recorded that (yet); for a dispute, the states differ. `POST /operator/refunds` and `POST /operator/disputes` read a ' +
      'missing refund or dispute, or the state of a dispute, from the gateway and record it. Paydesk reads missing fees and ' +
      'payouts by itself.',
    examples: ['state'],
  }),
  entry: Type.Enum(['payment', 'refund', 'dispute', 'fee', 'payout'], {
    description:
      'For a `dispute`, the amount is the money withdrawn for it. If a dispute is about ' +
      'several payments and the gateway does not report the share of each, the amount is the whole disputed amount. A `payout` is ' +
      'compared as a whole, also where only a part of it is from payments of Paydesk.',
    examples: ['payment'],
  }),
  gatewayId: orNull('The id of the record at the gateway.', 'payment_Zm9v'),
  gatewayPaymentId: orNull(
    "The gateway's id of the payment that the record belongs to; for a payment, the same as `gatewayId`. Null for a payout.",
    'payment_Zm9v',
  ),
  id: orNull('The id of the record in Paydesk.', id),
  ...companyIdsOrNull('The company that the record belongs to.'),
  invoiceId: orNull('The invoice that the record belongs to.', id),
  here: side('The record in the books of Paydesk.'),
  there: side('The record in the books of the gateway.'),
  purpose: Type.Unsafe<Purpose | null>({
    type: ['object', 'null'],
    description:
      'For a payment that Paydesk made at the gateway and that is `missing_here`: what the payment was made for, according to ' +
      'the gateway, and whether Paydesk has an invoice of that debt. Charging that invoice finds the capture, which pays it. ' +
      'Null for all other differences.',
    properties: {
      debt: { type: ['string', 'null'] },
      companyId: { type: ['string', 'null'] },
      companyExternalId: { type: ['string', 'null'] },
      invoiceId: { type: ['string', 'null'] },
      invoiceNumber: { type: ['string', 'null'] },
      isInvoiceHere: { type: 'boolean' },
    },
    required: ['debt', 'companyId', 'invoiceId', 'invoiceNumber', 'isInvoiceHere'],
    examples: [
      { debt: `usage:${id}:2026-10`, companyId: id, invoiceId: id, invoiceNumber: 'INV-000042', isInvoiceHere: false },
    ],
  }),
});
export type Difference = Static<typeof Difference>;

const instant = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] });

export const Reconciliation = namedObject('Reconciliation', {
  gateway: Type.String({ examples: ['sandbox'] }),
  gateways: Type.Array(Type.String(), {
    description: 'All configured gateways, including this one. Each has books of its own, so compare them one by one.',
    examples: [['sandbox', 'paypal']],
  }),
  from: instant('The beginning of the period that is compared.', '2026-10-01T00:00:00.000Z'),
  to: instant('Its end, which is not part of it.', '2026-11-01T00:00:00.000Z'),
  compared: Type.Integer({
    description: 'The number of entries that this page compared, counted separately for each side.',
    examples: [100],
  }),
  ofOtherInstallations: Type.Integer({
    description:
      'The number of payments and refunds of this page that were left out, because another installation made them through the ' +
      'same account.',
    examples: [0],
  }),
  nextCursor: orNull('The cursor of the next page; null on the last one.', 'refunds:'),
  differences: Type.Array(Difference),
});
export type Reconciliation = Static<typeof Reconciliation>;
