import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Facturas',
  description: 'Las facturas de todas las empresas.',
  search: 'Buscar por número',
  periodFrom: 'Periodo desde',
  periodTo: 'Periodo hasta',
  due: 'Vencimiento',
  total: 'Total',
  empty: {
    title: 'Aún no hay facturas',
    text: 'Inicie una facturación o cree una factura para una empresa.',
  },
};
