import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  attention: 'Por revisar',
  nothing: 'Nada le necesita.',
  due: 'Pendiente',
  overdue: 'Vencido',
  failed: 'Fallido',
  invoices: '{count, plural, one {# factura} other {# facturas}}',
  months: 'Por mes',
  month: 'Mes',
  billed: 'Facturado',
  collected: 'Cobrado',
  refunded: 'Reembolsado',
  aging: 'Antigüedad del vencido',
  currency: 'Moneda',
  days1To30: '1–30 días',
  days31To60: '31–60 días',
  days61To90: '61–90 días',
  over90: 'Más de 90 días',
  hold: 'Los cobros están retenidos desde una restauración',
  holdAction: 'Ver lo que queda por hacer',
  tasks: {
    reviews:
      '{count, plural, one {# pago o reembolso requiere una decisión} other {# pagos o reembolsos requieren una decisión}}',
    disputes: '{count, plural, one {# disputa está abierta} other {# disputas están abiertas}}',
    alerts: '{count, plural, one {# aviso está sin confirmar} other {# avisos están sin confirmar}}',
    jobs: '{count, plural, one {# tarea va tarde o falla} other {# tareas van tarde o fallan}}',
    mails: '{count, plural, one {# correo no se envió} other {# correos no se enviaron}}',
    endpoints: '{count, plural, one {# webhook falla} other {# webhooks fallan}}',
  },
  title: 'Inicio',
};
