import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Alertes',
  description: 'Ce qu’une personne doit examiner. Confirmez ce qui est fait.',
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
