import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Paiements',
  description: 'Chaque essai d’encaisser une facture, de toutes les entreprises.',
  paidWith: 'Payé avec',
  credit: 'Avoir',
  initiator: 'Lancé par',
  initiators: {
    manual: 'Une personne',
    automatic: 'L’encaissement',
  },
  methods: {
    Card: 'Carte',
    paypal: 'PayPal',
  },
  statuses: {
    Processing: 'En vérification',
    debit: 'Prélèvement en cours',
    Succeeded: 'Réussi',
    Failed: 'Échoué',
    RequiresAction: 'En attente de confirmation',
    NeedsReview: 'À examiner',
  },
  empty: {
    title: 'Aucun paiement pour l’instant',
    text: 'Un paiement apparaît ici quand une facture est encaissée.',
  },
};
