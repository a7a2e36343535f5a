import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Clés d’exploitant',
  description: 'Avec lesquelles les programmes, et les personnes sans compte, utilisent le côté exploitant.',
  create: 'Créer une clé',
  created: 'La clé n’est affichée qu’une fois. Copiez-la maintenant.',
  copy: 'Copier la clé',
  copied: 'Copié',
  done: 'Terminé',
  prefix: 'Commence par',
  roles: {
    viewer: 'Lecture',
    finance: 'Finances',
    admin: 'Admin',
    integration: 'Intégration',
  },
  delete: 'Supprimer la clé',
  deleteText: 'Tout ce qui utilise cette clé est refusé aussitôt.',
  typeName: 'Saisissez le nom de la clé',
  empty: {
    title: 'Aucune clé',
    text: 'Créez une clé pour chaque programme.',
  },
};
