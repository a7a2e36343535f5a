import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Personnel',
  description: 'Les personnes qui utilisent cette console avec leur propre connexion et un second facteur.',
  invite: 'Inviter',
  inviteTitle: 'Inviter un collègue',
  invited: 'Invitation envoyée',
  inviteYourself: 'Invitez-vous sous « Personnel »',
  roles: {
    viewer: 'Lecture',
    finance: 'Finances',
    admin: 'Admin',
  },
  statuses: {
    invited: 'Invité',
    active: 'Actif',
  },
  empty: {
    title: 'Personne pour l’instant',
    text: 'Invitez ceux qui s’occupent des factures et des paiements.',
  },
};
