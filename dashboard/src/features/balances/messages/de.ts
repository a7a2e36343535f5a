import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Salden',
  description: 'Was jedes Konto hält, nach Währung.',
  empty: {
    title: 'Keine Salden',
    text: 'Die erste Rechnung bucht ins Hauptbuch.',
  },
};
