import type { NewAuditEntry } from '../../audit/audit.service.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { formatAmount } from '../../platform/money/money.ts';
import type { NewPayment } from '../payment/payment.queries.ts';

type Intent = Pick<NewPayment, 'id' | 'invoiceId' | 'method' | 'amountMinor' | 'creditMinor' | 'currency'> &
  Partial<Pick<NewPayment, 'cardId' | 'paypalAccountId'>>;

/** Who asked for a payment, for the audit log. What came of it stands at the payment. */
export function describeAsked(actor: Actor, intent: Intent): NewAuditEntry {
  const { id, invoiceId, method, amountMinor, creditMinor, currency, cardId = null, paypalAccountId = null } = intent;
  const after = {
    ...{ invoiceId, method, cardId, paypalAccountId, currency },
    amount: formatAmount(amountMinor, currency),
    creditAmount: formatAmount(creditMinor, currency),
  };
  return {
    audience: 'company',
    actor,
    action: 'payment.created',
    target: { kind: 'payment', id, name: '' },
    changes: { before: {}, after },
  };
}
