import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Clés API',
  description:
    'Un programme utilise l’API de votre entreprise avec une clé. Une clé a les droits qu’on lui donne, et jamais plus que son créateur.',
  create: 'Créer une clé API',
  access: 'Accès',
  accesses: {
    view: 'Lire tout ce que vous pouvez lire',
    all: 'Tout ce que vous pouvez faire',
  },
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
