import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Empresas',
  description: 'Todos a quienes factura.',
  search: 'Buscar por nombre, correo o identificador',
  disabled: 'Desactivada',
  active: 'Activa',
  create: 'Crear empresa',
  createText: 'No necesita acceso: Paydesk le factura y envía sus correos a la dirección indicada aquí.',
  created: '{name} está creada',
  emailText: 'Adonde van las facturas y los recordatorios.',
  externalIdText: 'El identificador que su producto da a la empresa, si lo hay.',
  externalIdTaken: 'Otra empresa tiene este identificador externo.',
  adminsOnly: 'Solo los administradores pueden crear empresas.',
  choose: 'Elegir una empresa',
  invite: 'Invitar a un administrador',
  inviteText:
    'Un correo contiene un enlace con el que la persona se une a la empresa como administrador. Vale siete días.',
  invited: 'Una invitación va en camino a {email}',
  alreadyInvited: 'Esta dirección tiene una invitación aún abierta.',
  alreadyMember: 'Esta persona ya es miembro.',
  empty: {
    title: 'Aún no hay empresas',
    text: 'Una empresa aparece aquí cuando usted la crea, cuando su administrador se registra o su producto la crea por la API.',
  },
};
