import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Facturations',
  description:
    'Chaque facturation émet les factures d’un mois. Elle peut être relancée : personne n’est facturé deux fois.',
  start: 'Lancer la facturation',
  startText:
    'Émet les factures de {month} pour toutes les entreprises avec usage ou postes. Les factures existantes ne changent pas.',
  started: 'La facturation a commencé',
  running: 'Facturation de {month}',
  progress: '{done} entreprises sur {companies}, {invoices, plural, one {# facture} other {# factures}}',
  left: 'encore {seconds, plural, one {# seconde} other {# secondes}}',
  companies: 'Entreprises',
  invoices: 'Factures',
  failures: 'Échecs',
  skipped: 'Sans facture',
  begun: 'Commencée',
  finished: 'Terminée',
  statuses: {
    running: 'En cours',
    waiting: 'En attente',
    done: 'Terminée',
    failed: 'Échouée',
  },
  empty: {
    title: 'Aucune facturation pour l’instant',
    text: 'Lancez-en une quand le premier mois avec usage est terminé.',
  },
};
