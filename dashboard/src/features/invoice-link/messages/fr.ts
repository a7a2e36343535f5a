import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  share: 'Partager le lien',
  title: 'Lien vers la facture {number}',
  text: 'Quiconque a ce lien peut lire la facture et la payer, sans se connecter. Les e-mails sur la facture le contiennent aussi.',
  address: 'Lien',
  copy: 'Copier le lien',
  copied: 'Copié',
  until: 'Il est valable jusqu’au',
  revoked: 'Le lien vers cette facture a été révoqué : plus personne ne peut l’ouvrir.',
  create: 'Créer un lien',
  created: 'Le nouveau lien est valable dès maintenant',
  replace: 'Remplacer le lien',
  replaceText:
    'L’ancien lien vers la facture {number} cesse de fonctionner, même dans les e-mails. Un nouveau le remplace.',
  revoke: 'Révoquer le lien',
  revokeText:
    'Le lien vers la facture {number} cesse de fonctionner, même dans les e-mails. La facture reste inchangée.',
  wasRevoked: 'Le lien est révoqué',
  notAllowed: 'Votre rôle permet seulement de copier le lien.',
};
