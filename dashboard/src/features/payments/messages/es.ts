import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Pagos',
  description: 'Cada intento de cobrar una factura, de todas las empresas.',
  paidWith: 'Pagado con',
  credit: 'Crédito',
  initiator: 'Iniciado por',
  initiators: {
    manual: 'Una persona',
    automatic: 'El cobro',
  },
  methods: {
    Card: 'Tarjeta',
    paypal: 'PayPal',
  },
  statuses: {
    Processing: 'Averiguando',
    debit: 'Adeudo en curso',
    Succeeded: 'Realizado',
    Failed: 'Fallido',
    RequiresAction: 'A la espera de confirmación',
    NeedsReview: 'Por revisar',
  },
  empty: {
    title: 'Aún no hay pagos',
    text: 'Un pago aparece aquí cuando se cobra una factura.',
  },
};
