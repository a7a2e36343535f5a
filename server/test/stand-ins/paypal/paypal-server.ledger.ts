/** The money movements of the stand-in for PayPal, for the invariant checks. */
import { fromPayPalAmount } from '../../../src/gateways/paypal/answers/amounts.ts';
import type { GatewayLedger } from '../../invariants/invariants.books.ts';
import { readMovements } from './paypal-server.disputes.ts';
import type { Money } from './paypal-server.objects.ts';
import type { PayPalBooks } from './paypal-server.state.ts';

/** Returns them in the form of the sandbox's ledger, which the invariant checks read. */
export function readLedger({ orders, captures, refunds, disputes, asked }: PayPalBooks): GatewayLedger {
  const money = ({ currency_code: currency, value }: Money) => ({
    amountMinor: fromPayPalAmount(value, currency),
    currency,
  });
  const captured = new Set(captures.map(({ orderId }) => orderId));
  return {
    cards: [],
    accounts: [],
    payments: [...orders.values()].map((order) => {
      const [unit] = order.purchase_units;
      const { amount = unit.amount, vaultId = '', lastIssue = null } = asked.get(order.id) ?? {};
      const isCaptured = captured.has(order.id);
      const isOver = order.intent === 'AUTHORIZE' || order.status !== 'CREATED';
      return {
        id: order.id,
        ...money(amount),
        sourceToken: vaultId === '' ? '' : `vault/${vaultId}`,
        reference: unit.custom_id?.split(',')[0] ?? '',
        status: isCaptured ? 'captured' : isOver ? 'canceled' : lastIssue === null ? 'created' : 'declined',
        declineCode: lastIssue?.toLowerCase() ?? null,
        debt: unit.invoice_id ?? null,
      };
    }),
    captures: captures.map(({ id, orderId, amount }) => ({ id, paymentId: orderId, ...money(amount) })),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      paymentId: refund.orderId,
      ...money(refund.amount),
      reference: refund.customId.split(',')[0] ?? '',
    })),
    disputeMovements: disputes.flatMap(readMovements),
  };
}
