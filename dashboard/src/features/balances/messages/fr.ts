import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Soldes',
  description: 'Ce que contient chaque compte, par devise.',
  empty: {
    title: 'Aucun solde',
    text: 'La première facture s’inscrit au grand livre.',
  },
};
