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
  saved: 'El vendedor está guardado',
  preview: 'Vista previa',
  previewText: 'Una factura de muestra con lo que dice el formulario. No se conserva nada hasta que guarde.',
  openPreview: 'Abrir la vista previa',
  notShown: 'Este navegador no muestra PDF en una página. Abra la vista previa.',
};
