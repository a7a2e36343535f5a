import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  attention: 'À examiner',
  nothing: 'Rien ne vous attend.',
  due: 'À payer',
  overdue: 'En retard',
  failed: 'Échoué',
  invoices: '{count, plural, one {# facture} other {# factures}}',
  months: 'Par mois',
  month: 'Mois',
  billed: 'Facturé',
  collected: 'Encaissé',
  refunded: 'Remboursé',
  aging: 'Retard',
  currency: 'Devise',
  days1To30: '1–30 jours',
  days31To60: '31–60 jours',
  days61To90: '61–90 jours',
  over90: 'Plus de 90 jours',
  hold: 'Les encaissements sont suspendus depuis une restauration',
  holdAction: 'Voir ce qui reste à faire',
  tasks: {
    reviews:
      '{count, plural, one {# paiement ou remboursement attend une décision} other {# paiements ou remboursements attendent une décision}}',
    disputes: '{count, plural, one {# litige est ouvert} other {# litiges sont ouverts}}',
    alerts: '{count, plural, one {# alerte n’est pas confirmée} other {# alertes ne sont pas confirmées}}',
    jobs: '{count, plural, one {# tâche est en retard ou échoue} other {# tâches sont en retard ou échouent}}',
    mails: '{count, plural, one {# e-mail n’est pas parti} other {# e-mails ne sont pas partis}}',
    endpoints: '{count, plural, one {# point de webhook échoue} other {# points de webhook échouent}}',
  },
  title: 'Accueil',
};
