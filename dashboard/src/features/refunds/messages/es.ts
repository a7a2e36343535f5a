import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Reembolsos',
  description: 'Lo devuelto a tarjetas, cuentas PayPal y crédito.',
  source: 'Hecho por',
  sources: {
    operator: 'Paydesk',
    gateway: 'En la pasarela',
  },
  statuses: {
    Processing: 'Averiguando',
    Succeeded: 'Realizado',
    Failed: 'Fallido',
    NeedsReview: 'Por revisar',
  },
  empty: {
    title: 'Aún no hay reembolsos',
    text: 'Reembolse un pago desde la página de su factura.',
  },
};
