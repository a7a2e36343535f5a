import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Factures',
  invoice: 'Facture {number}',
  caption: 'Factures, la période la plus récente en premier',
  number: 'Numéro',
  period: 'Période',
  status: 'État',
  due: 'Échéance',
  total: 'Total',
  method: 'Moyen',
  currency: 'Devise',
  issued: 'Émise',
  paidWith: 'Payée avec',
  amountFrom: 'Montant dès',
  amountTo: 'Montant jusqu’à',
  periodFrom: 'Période dès',
  periodTo: 'Période jusqu’à',
  search: 'Chercher par numéro',
  methods: { Card: 'Carte', paypal: 'PayPal' },
  states: {
    due: 'À payer',
    overdue: 'En retard',
    paid: 'Payée',
    failed: 'Échouée',
    void: 'Annulée',
    credited: 'Créditée',
    findingOut: 'En vérification',
    debit: 'Prélèvement en cours',
    confirm: 'À confirmer auprès de votre banque',
    review: 'En examen',
  },
  empty: {
    title: 'Aucune facture pour l’instant',
    text: 'La première facture apparaît ici à la fin de la première période facturée.',
  },
};
