import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Alertes',
  description: 'Les problèmes qui demandent une personne. Confirmez une alerte quand son problème est résolu.',
  acknowledge: 'Confirmer',
  message: 'Ce qui s’est passé',
  states: {
    open: 'Ouverte',
    acknowledged: 'Confirmée',
  },
  empty: {
    title: 'Aucune alerte',
    text: 'Le service écrit ici quand quelque chose demande une personne.',
  },
};
