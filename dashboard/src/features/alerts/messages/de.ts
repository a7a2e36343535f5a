import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Hinweise',
  description: 'Probleme, die einen Menschen brauchen. Bestätigen Sie einen Hinweis, wenn sein Problem gelöst ist.',
  acknowledge: 'Bestätigen',
  message: 'Was geschehen ist',
  states: {
    open: 'Offen',
    acknowledged: 'Bestätigt',
  },
  empty: {
    title: 'Keine Hinweise',
    text: 'Der Dienst schreibt hier, wenn etwas einen Menschen braucht.',
  },
};
