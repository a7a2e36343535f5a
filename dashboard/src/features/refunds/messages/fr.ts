import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Remboursements',
  description: 'Ce qui a été rendu aux cartes, aux comptes PayPal et aux avoirs.',
  source: 'Fait par',
  sources: {
    operator: 'Paydesk',
    gateway: 'À la passerelle',
  },
  statuses: {
    Processing: 'En vérification',
    Succeeded: 'Réussi',
    Failed: 'Échoué',
    NeedsReview: 'À examiner',
  },
  empty: {
    title: 'Aucun remboursement pour l’instant',
    text: 'Remboursez un paiement depuis la page de sa facture.',
  },
};
