import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Libro mayor',
  description: 'Cada asiento, el más antiguo primero. Los debes son positivos.',
  kind: 'Operación',
  accounts: {
    receivable: 'Cuentas por cobrar',
    revenue: 'Ingresos',
    tax: 'Impuestos',
    credit: 'Saldo a favor',
    goodwill: 'Cortesía',
    refunds_due: 'Reembolsos pendientes',
    disputed: 'En disputa',
    dispute_losses: 'Pérdidas por disputas',
    unallocated: 'Sin asignar',
    cash: 'Fondos en {gateway}',
  },
  kinds: {
    invoice_issued: 'Factura emitida',
    invoice_voided: 'Factura anulada',
    credit_granted: 'Crédito concedido',
    credit_corrected: 'Crédito corregido',
    credit_carried_over: 'Crédito trasladado',
    credit_consumed: 'Crédito usado',
    credit_returned: 'Crédito devuelto',
    payment_captured: 'Pago cobrado',
    credit_note_issued: 'Nota de crédito emitida',
    refund_sent: 'Reembolso enviado',
    dispute_withdrawn: 'Disputa: dinero retirado',
    dispute_reinstated: 'Disputa: dinero devuelto',
    dispute_lost: 'Disputa perdida',
    dispute_recovered: 'Disputa recuperada',
  },
  empty: {
    title: 'Ningún asiento',
    text: 'La primera factura se asienta en el libro.',
  },
};
