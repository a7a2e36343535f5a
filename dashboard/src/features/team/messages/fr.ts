import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Équipe',
  description: 'Qui peut se connecter pour votre entreprise, et avec quels droits.',
  invite: 'Inviter',
  roles: 'Rôles',
  inviteTitle: 'Inviter un collègue',
  invited: 'Invitation envoyée',
  secondFactor: 'Second facteur',
  joined: 'Arrivée',
  unverified: 'E-mail non vérifié',
  invitations: 'Invitations',
  invitedBy: 'Invité par',
  expires: 'Expire',
  noInvitations: 'Aucune invitation en cours.',
  withdraw: 'Retirer',
  resend: 'Renvoyer',
  resent: 'L’invitation est renvoyée',
  withdrawn: 'L’invitation est retirée',
  remove: 'Retirer de l’équipe',
  removeText:
    '{name} ne pourra plus se connecter pour votre entreprise. Ses sessions et clés d’API finissent aussitôt.',
  removed: 'Retiré de l’équipe',
  typeEmail: 'Saisissez l’adresse e-mail',
  endSessions: 'Terminer les sessions',
  ended: 'Les sessions sont terminées',
  changeRole: 'Changer le rôle',
  roleChanged: 'Le rôle est changé',
  actions: 'Actions',
  you: 'Vous',
  empty: {
    title: 'Personne pour l’instant',
    text: 'Invitez le premier collègue.',
  },
};
