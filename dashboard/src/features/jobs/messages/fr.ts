import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Tâches',
  description: 'Ce que le service traite en arrière-plan, et ce qui est en retard ou échoue.',
  kind: 'Genre',
  retry: 'Exécuter',
  retried: 'La tâche s’exécute',
  statuses: {
    due: 'À faire',
    running: 'En cours',
    late: 'En retard',
    failing: 'En échec',
  },
  kinds: {
    payments: 'Paiements',
    gateway_events: 'Événements de passerelle',
    refunds: 'Remboursements',
    usage_attributions: 'Usage anticipé',
    usage_thresholds: 'Seuils d’usage',
    billing_runs: 'Facturations',
    billing_previews: 'Aperçus de facturation',
    schedules: 'Planifications',
    mails: 'E-mails',
    webhooks: 'Webhooks',
    collections: 'Encaissements',
    source_detachment: 'Cartes supprimées',
  },
  empty: {
    title: 'Rien n’attend',
    text: 'Tout le travail en arrière-plan est fait.',
  },
};
