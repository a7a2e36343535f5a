import { recordAudit } from '../../audit/audit.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { formatAmount } from '../../platform/money/money.ts';
import type { NewPayment } from '../record/payment.queries.ts';

type Intent = Pick<NewPayment, 'id' | 'invoiceId' | 'method' | 'amountMinor' | 'creditMinor' | 'currency'> &
  Partial<Pick<NewPayment, 'cardId' | 'paypalAccountId'>>;

/** Records in the audit log who asked for a payment. What came of it stands at the payment. */
export function recordPaymentAsked(tx: Tx, companyId: string, actor: Actor, intent: Intent): Promise<void> {
  const { id, invoiceId, method, amountMinor, creditMinor, currency, cardId = null, paypalAccountId = null } = intent;
  const after = {
    ...{ invoiceId, method, cardId, paypalAccountId, currency },
    amount: formatAmount(amountMinor, currency),
    creditAmount: formatAmount(creditMinor, currency),
  };
  return recordAudit(tx, companyId, {
    actor,
    action: 'payment.created',
    target: { kind: 'payment', id, name: '' },
    changes: { before: {}, after },
  });
}
