import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Litiges',
  description:
    'Paiements que le titulaire de la carte ou du compte conteste. Répondez à la passerelle avant son délai.',
  statuses: {
    NeedsResponse: 'Réponse requise',
    UnderReview: 'En examen',
    Won: 'Gagné',
    Lost: 'Perdu',
    Closed: 'Clos',
  },
  withdrawn: 'Retiré',
  empty: {
    title: 'Aucun litige',
    text: 'Un litige apparaît ici dès qu’une passerelle le signale.',
  },
};
