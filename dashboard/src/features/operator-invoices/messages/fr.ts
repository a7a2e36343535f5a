import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Factures',
  description: 'Les factures de toutes les entreprises.',
  search: 'Chercher par numéro',
  periodFrom: 'Période dès',
  periodTo: 'Période jusqu’à',
  due: 'Échéance',
  total: 'Total',
  empty: {
    title: 'Aucune facture pour l’instant',
    text: 'Lancez une facturation, ou créez une facture pour une entreprise.',
  },
};
