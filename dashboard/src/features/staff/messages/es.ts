import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Personal',
  description: 'Las personas que usan esta consola con su propio acceso y un segundo factor.',
  invite: 'Invitar',
  inviteTitle: 'Invitar a un colega',
  invited: 'Invitación enviada',
  inviteYourself: 'Invítese en Personal',
  roles: {
    viewer: 'Lectura',
    finance: 'Finanzas',
    admin: 'Administración',
  },
  statuses: {
    invited: 'Invitado',
    active: 'Activo',
  },
  empty: {
    title: 'Aún nadie',
    text: 'Invite a quienes se ocupan de facturas y pagos.',
  },
};
