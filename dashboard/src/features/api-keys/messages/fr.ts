import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Clés API',
  description:
    'Un programme utilise l’API de votre entreprise avec une clé. Une clé a les droits qu’on lui donne, et jamais plus que son créateur.',
  create: 'Créer une clé API',
  permissions: 'Autorisations',
  expiresOn: 'Expire le',
  expiresText: 'La clé est valable jusqu’à la fin de ce jour. Vide pour une clé qui n’expire pas.',
  expired: 'Expirée',
  addresses: 'Adresses IP autorisées',
  addressesText: 'Une par ligne, ou des plages comme 192.0.2.0/24. Vide pour toutes les adresses.',
  allAddresses: 'Toutes',
  created: 'La clé n’est affichée qu’une fois. Copiez-la maintenant.',
  copy: 'Copier la clé',
  copied: 'Copié',
  done: 'Terminé',
  prefix: 'Commence par',
  delete: 'Supprimer la clé API',
  deleteText: 'Les programmes qui l’utilisent sont refusés aussitôt.',
  typeName: 'Saisissez le nom de la clé',
  mayNot: 'Votre rôle ne peut pas créer de clés API.',
  empty: {
    title: 'Aucune clé API',
    text: 'Créez une clé pour le premier programme.',
  },
};
