import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Empresas',
  description: 'Todos a quienes factura.',
  search: 'Buscar por nombre, correo o identificador',
  disabled: 'Desactivada',
  active: 'Activa',
  members: 'Miembros',
  cards: 'Tarjetas',
  paypalAccounts: 'Cuentas PayPal',
  openInvoices: 'Facturas abiertas',
  due: 'Pendiente',
  overdue: 'Vencido',
  credit: 'Crédito',
  nothing: 'Nada',
  about: 'Sobre la empresa',
  invoices: 'Facturas',
  phone: 'Teléfono',
  view: 'Ver como empresa',
  empty: {
    title: 'Aún no hay empresas',
    text: 'Una empresa aparece aquí cuando su administrador se registra o su producto la crea por la API.',
  },
};
