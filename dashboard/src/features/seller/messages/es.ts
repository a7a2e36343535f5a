import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Vendedor',
  description: 'Quién emite las facturas. Los cambios posteriores no alteran las facturas existentes.',
  name: 'Nombre',
  address: 'Dirección, línea por línea',
  taxId: 'Número fiscal',
  email: 'Correo',
  footer: 'Pie de página',
  legal: 'Nota legal',
  onInvoice: 'En la factura',
  saved: 'El vendedor está guardado',
  preview: 'Vista previa',
};
