import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Ejecuciones de facturación',
  description: 'Cada ejecución emite las facturas de un mes. Puede repetirse: no se factura dos veces a nadie.',
  start: 'Iniciar facturación',
  startText: 'Emite las facturas de {month} para todas las empresas con uso o conceptos. Las existentes no cambian.',
  started: 'La facturación ha comenzado',
  running: 'Facturando {month}',
  progress: '{done} de {companies} empresas, {invoices, plural, one {# factura} other {# facturas}}',
  left: '{seconds, plural, one {queda # segundo} other {quedan # segundos}}',
  companies: 'Empresas',
  invoices: 'Facturas',
  failures: 'Fallos',
  skipped: 'Sin factura',
  begun: 'Iniciada',
  finished: 'Terminada',
  statuses: {
    running: 'En curso',
    waiting: 'En espera',
    done: 'Terminada',
    failed: 'Fallida',
  },
  empty: {
    title: 'Aún no hay ejecuciones',
    text: 'Inicie una cuando termine el primer mes con uso.',
  },
};
