import type { Static } from 'typebox';
import { uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { RecoveryRefundBody } from '../unallocated/unallocated.schema.ts';

const { gateway, gatewayPaymentId } = RecoveryRefundBody.properties;

export const RecoveryAcceptanceBody = namedObject('RecoveryAcceptanceBody', { gateway, gatewayPaymentId });
export type RecoveryAcceptanceBody = Static<typeof RecoveryAcceptanceBody>;

/** A second capture of a debt that became credit. */
export const RecoveryAcceptance = namedObject('RecoveryAcceptance', {
  gateway: Type.String({ examples: ['stripe'] }),
  gatewayPaymentId: Type.String({ examples: ['pi_3Rq2vYKdNfxT0aZb1c8mWpeL'] }),
  companyId: uuid('Whose credit it is.'),
  paymentId: uuid('The payment that has the capture. It pays nothing of its invoice.'),
  invoiceId: uuid('The invoice that was charged a second time.'),
  amount: Type.String({ description: 'What became credit: all that was captured.', examples: ['48.00'] }),
  currency: Type.String({ examples: ['USD'] }),
});
export type RecoveryAcceptance = Static<typeof RecoveryAcceptance>;
