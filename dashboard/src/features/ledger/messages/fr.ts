import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Grand livre',
  description: 'Chaque écriture, la plus ancienne en premier. Les débits sont positifs.',
  kind: 'Opération',
  accounts: {
    receivable: 'Créances',
    revenue: 'Chiffre d’affaires',
    tax: 'Taxes',
    credit: 'Avoirs',
    goodwill: 'Gestes commerciaux',
    refunds_due: 'Remboursements dus',
    disputed: 'Contesté',
    dispute_losses: 'Pertes sur litiges',
    unallocated: 'Non affecté',
    cash: 'Fonds chez {gateway}',
  },
  kinds: {
    invoice_issued: 'Facture émise',
    invoice_voided: 'Facture annulée',
    credit_granted: 'Avoir accordé',
    credit_corrected: 'Avoir corrigé',
    credit_carried_over: 'Avoir reporté',
    credit_consumed: 'Avoir utilisé',
    credit_returned: 'Avoir rendu',
    payment_captured: 'Paiement encaissé',
    credit_note_issued: 'Note de crédit émise',
    refund_sent: 'Remboursement envoyé',
    dispute_withdrawn: 'Litige : somme retirée',
    dispute_reinstated: 'Litige : somme rendue',
    dispute_lost: 'Litige perdu',
    dispute_recovered: 'Litige recouvré',
  },
  empty: {
    title: 'Aucune écriture',
    text: 'La première facture s’inscrit au grand livre.',
  },
};
