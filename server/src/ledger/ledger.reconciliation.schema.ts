import type { Static } from 'typebox';
import { companyIdsOrNull } from '../platform/http/company-ids/company-id.ts';
import { checkInstant } from '../platform/http/schema/instants.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { patternRule, UUID } from '../platform/http/schema/text-rules.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';

/** A stage and the position in it: the gateway's own cursor in its books, a time and an id in ours. */
const CURSOR = `(?:captures|refunds|disputes)(?::[^\\u0000]*)?|(?:captured|refunded|disputed)(?::(?:[0-9]{1,14}_(?:${UUID}))?)?`;

export const ReconciliationQuery = Type.Object({
  gateway: Type.Optional(
    text({ required: true, description: 'The one that takes new cards when absent.', examples: ['sandbox'] }),
  ),
  from: text({
    required: true,
    rule: checkInstant,
    description: 'Entries that were made at this instant or later.',
    examples: ['2026-10-01T00:00:00Z'],
  }),
  to: text({
    required: true,
    rule: checkInstant,
    description:
      'Entries that were made before this instant. What is just being paid differs for a moment: let it lie in the past.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  cursor: Type.Optional(
    text({
      required: true,
      rule: patternRule(CURSOR, 'must be the nextCursor of the previous page'),
      description: '`nextCursor` of the page before; the first page without it.',
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
      '`missing_here`: the gateway has it, we do not. `missing_there`: the other way round. `amount`: other amount or currency. `state`: ' +
      'the gateway took or gave back, here it is not done (yet); of a dispute, it stands otherwise. A refund or a dispute that is ' +
      '`missing_here` is recorded by `POST /operator/refunds` or `POST /operator/disputes`; so is how a dispute stands.',
    examples: ['state'],
  }),
  entry: Type.Enum(['payment', 'refund', 'dispute'], {
    description:
      'Of a `dispute` the amount is what is withdrawn for it; of one about several payments of which the gateway does not say what is ' +
      'whose, all that is disputed.',
    examples: ['payment'],
  }),
  gatewayId: orNull("The gateway's id.", 'payment_Zm9v'),
  gatewayPaymentId: orNull("The gateway's id of the payment that it is about; of a payment, its own.", 'payment_Zm9v'),
  id: orNull('The id in Paydesk.', id),
  ...companyIdsOrNull('The company that it belongs to.'),
  invoiceId: orNull('The invoice that it is about.', id),
  here: side('As it is in our books.'),
  there: side('As it is in those of the gateway.'),
  purpose: Type.Unsafe<Purpose | null>({
    type: ['object', 'null'],
    description:
      'Of a payment that Paydesk made at the gateway and that is `missing_here`: what it was made for, as the gateway knows it, and ' +
      'whether an invoice of that debt is here, which is paid by it as soon as it is charged. Null of all others.',
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

export const Reconciliation = namedObject('Reconciliation', {
  gateway: Type.String({ examples: ['sandbox'] }),
  gateways: Type.Array(Type.String(), {
    description: 'All that are configured, this one too. Each has books of its own: ask for them one by one.',
    examples: [['sandbox', 'paypal']],
  }),
  compared: Type.Integer({
    description: 'How many entries this page compared, counted separately for each side.',
    examples: [100],
  }),
  ofOtherInstallations: Type.Integer({
    description:
      'How many payments and refunds of this page were left out, because another installation made them through the same account.',
    examples: [0],
  }),
  nextCursor: orNull('Names the next page; null on the last one.', 'refunds:'),
  differences: Type.Array(Difference),
});
export type Reconciliation = Static<typeof Reconciliation>;
