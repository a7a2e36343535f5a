import type { Static } from 'typebox';
import { companyIds, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';

const STATUSES = ['NeedsResponse', 'UnderReview', 'Won', 'Lost', 'Closed'] as const;

export const Dispute = namedObject('Dispute', {
  id: uuid(),
  ...companyIds,
  paymentId: uuid(),
  invoiceId: uuid(),
  gateway: Type.String({ examples: ['stripe'] }),
  gatewayDisputeId: Type.String({
    description:
      "The gateway's id, by which it is answered there. One about several payments is a dispute of each, with the same id.",
    examples: ['dp_1Rq2vYKdNfxT0aZbL8c3mWpe'],
  }),
  status: Type.Enum(STATUSES, {
    description:
      '`NeedsResponse`: the bank waits for evidence, which is handed in at the gateway. `UnderReview`: the bank decides. `Won`, `Lost`: ' +
      'it has. `Closed`: it ended otherwise, an inquiry that came to nothing for instance.',
    examples: ['NeedsResponse'],
  }),
  amount: Type.String({ description: 'What is disputed.', examples: ['57.60'] }),
  withdrawnAmount: Type.String({
    description: 'What the gateway has taken from you for it and not given back; it cannot be refunded meanwhile.',
    examples: ['57.60'],
  }),
  currency: Type.String({ examples: ['USD'] }),
  reason: Type.String({ description: "The gateway's own word.", examples: ['fraudulent'] }),
  openedAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

export const DisputeQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.Enum(STATUSES, { description: 'Only disputes in this status.', examples: ['NeedsResponse'] }),
  ),
  companyId: Type.Optional(companyIdText({ description: 'Only those of this company.' })),
});
export type DisputeQuery = Static<typeof DisputeQuery>;

export const DisputeList = pageOf('DisputeList', Dispute);
