import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Journal d’audit',
  description: 'Qui a changé quoi dans votre entreprise.',
  changes: 'Changements',
  actors: {
    user: 'Un membre',
    api_key: 'Une clé d’API',
    customer_session: 'Une session client',
    operator_key: 'L’exploitant',
    staff: 'L’exploitant',
    system: 'Le service',
    command_line: 'L’exploitant',
    anonymous: 'Personne connectée',
  },
  empty: {
    title: 'Aucune entrée',
    text: 'Chaque changement laisse une entrée ici.',
  },
};
