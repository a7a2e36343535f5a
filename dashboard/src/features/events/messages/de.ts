import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Ereignisse',
  description: 'Was Webhook-Endpunkten gemeldet wird, das Neueste zuerst.',
  data: 'Daten',
  empty: {
    title: 'Noch keine Ereignisse',
    text: 'Jede Änderung eines Eintrags erscheint hier.',
  },
};
