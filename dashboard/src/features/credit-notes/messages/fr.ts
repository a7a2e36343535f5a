import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Avoirs',
  description: 'Ce qui corrige des factures déjà émises.',
  search: 'Chercher par numéro',
  empty: {
    title: 'Aucun avoir pour l’instant',
    text: 'Émettez un avoir depuis la page de sa facture.',
  },
};
