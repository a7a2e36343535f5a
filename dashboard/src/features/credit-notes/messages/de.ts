import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Gutschriften',
  description: 'Was Rechnungen nach ihrer Ausstellung berichtigt.',
  search: 'Nach Nummer suchen',
  empty: {
    title: 'Noch keine Gutschriften',
    text: 'Stellen Sie eine Gutschrift auf der Seite ihrer Rechnung aus.',
  },
};
