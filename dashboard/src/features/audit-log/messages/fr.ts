import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Journal d’audit',
  descriptions: {
    company: 'Qui a changé quoi dans votre entreprise.',
    operator:
      'Qui a changé quoi. Un numéro de requête mène à son entrée ; pour les requêtes sans effet, le journal du service a la ligne.',
  },
  changes: 'Changements',
  actors: {
    user: 'Un membre',
    api_key: 'Une clé d’API',
    customer_session: 'Une session client',
    operator_key: 'L’exploitant, avec une clé',
    staff: 'Le personnel de l’exploitant',
    system: 'Le service',
    command_line: 'L’exploitant, en ligne de commande',
    anonymous: 'Personne connectée',
  },
  noHistory: 'Rien n’est consigné',
  noHistoryText: 'Le journal d’audit n’a aucune entrée à ce sujet.',
  fields: '{count, plural, one {# champ} other {# champs}}',
  changedFields: '{count, plural, one {# champ modifié} other {# champs modifiés}}',
  empty: {
    title: 'Aucune entrée',
    text: 'Chaque changement laisse une entrée ici.',
  },
};
