import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Facturas',
  invoice: 'Factura {number}',
  caption: 'Facturas, el periodo más reciente primero',
  number: 'Número',
  period: 'Periodo',
  status: 'Estado',
  due: 'Vencimiento',
  total: 'Total',
  method: 'Método',
  currency: 'Moneda',
  issued: 'Emitida',
  paidWith: 'Pagada con',
  amountFrom: 'Importe desde',
  amountTo: 'Importe hasta',
  periodFrom: 'Periodo desde',
  periodTo: 'Periodo hasta',
  search: 'Buscar por número',
  methods: { Card: 'Tarjeta', paypal: 'PayPal' },
  states: {
    due: 'Pendiente',
    overdue: 'Vencida',
    paid: 'Pagada',
    failed: 'Fallida',
    void: 'Anulada',
    credited: 'Abonada',
    findingOut: 'Averiguando',
    debit: 'Adeudo en curso',
    confirm: 'Confirmar con su banco',
    review: 'En revisión',
  },
  empty: {
    title: 'Aún no hay facturas',
    text: 'La primera factura aparece aquí al final del primer periodo de facturación con uso.',
  },
};
