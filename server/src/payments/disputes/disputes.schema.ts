import type { Static } from 'typebox';
import { companyIds, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkDateOrInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';

const STATUSES = ['NeedsResponse', 'UnderReview', 'Won', 'Lost', 'Closed'] as const;

export const Dispute = namedObject('Dispute', {
  id: uuid(),
  ...companyIds,
  paymentId: uuid(),
  invoiceId: uuid(),
  gateway: Type.String({ examples: ['stripe'] }),
  gatewayDisputeId: Type.String({
    description:
      'The id of the dispute at the gateway, where it is answered. A dispute about several payments appears once for each ' +
      'payment, with the same id.',
    examples: ['dp_1Rq2vYKdNfxT0aZbL8c3mWpe'],
  }),
  status: Type.Enum(STATUSES, {
    description:
      '`NeedsResponse`: the bank waits for evidence, which is submitted at the gateway. `UnderReview`: the bank is deciding. ' +
      '`Won`, `Lost`: the bank has decided. `Closed`: the dispute ended in another way, for example an inquiry that was dropped.',
    examples: ['NeedsResponse'],
  }),
  amount: Type.String({ description: 'The disputed amount.', examples: ['57.60'] }),
  withdrawnAmount: Type.String({
    description:
      'The amount that the gateway has withdrawn for the dispute and not returned. It cannot be refunded meanwhile.',
    examples: ['57.60'],
  }),
  currency: Type.String({ examples: ['USD'] }),
  reason: Type.String({ description: 'The reason as the gateway names it.', examples: ['fraudulent'] }),
  openedAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const bound = (description: string) =>
  Type.Optional(text({ required: true, rule: checkDateOrInstant, description, examples: ['2026-10-01'] }));

const filters = {
  status: Type.Optional(
    Type.Enum(STATUSES, { description: 'Only disputes in this status.', examples: ['NeedsResponse'] }),
  ),
  companyId: Type.Optional(companyIdText({ description: 'Only disputes of this company.' })),
  currency: Type.Optional(
    text({
      required: true,
      rule: checkCurrency,
      description: 'Only disputes in this currency, as a code of ISO 4217.',
      examples: ['USD'],
    }),
  ),
  from: bound('Opened at this instant or later; a date means 00:00 UTC of that day.'),
  to: bound('Opened before this instant; a date means 00:00 UTC of that day, so that day is not included.'),
};
export const DisputeFileQuery = Type.Object(filters);
export type DisputeFileQuery = Static<typeof DisputeFileQuery>;
export const DisputeQuery = Type.Object({ ...pageQuery, ...filters });
export type DisputeQuery = Static<typeof DisputeQuery>;

export const DisputeList = pageOf(
  'DisputeList',
  namedObject('ListedDispute', {
    ...Dispute.properties,
    companyName: Type.String({
      description: 'The name of the company, as in the other lists of the operator.',
      examples: ['Analytical Engines'],
    }),
    invoiceNumber: Type.String({ examples: ['INV-000001'] }),
  }),
);
