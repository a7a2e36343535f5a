import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Événements',
  description: 'Ce qui est annoncé aux webhooks, le plus récent en premier.',
  data: 'Données',
  empty: {
    title: 'Aucun événement pour l’instant',
    text: 'Chaque changement d’un élément apparaît ici.',
  },
};
