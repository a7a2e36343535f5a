import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Notas de crédito',
  description: 'Lo que corrige facturas ya emitidas.',
  search: 'Buscar por número',
  empty: {
    title: 'Aún no hay notas de crédito',
    text: 'Emita una nota de crédito desde la página de su factura.',
  },
};
