import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Erstattungen',
  description: 'Was auf Karten, PayPal-Konten und Guthaben zurückging.',
  source: 'Ausgelöst von',
  sources: {
    operator: 'Paydesk',
    gateway: 'Beim Gateway',
  },
  statuses: {
    Processing: 'Wird geklärt',
    Succeeded: 'Erfolgreich',
    Failed: 'Fehlgeschlagen',
    NeedsReview: 'Zu prüfen',
  },
  empty: {
    title: 'Noch keine Erstattungen',
    text: 'Erstatten Sie eine Zahlung auf der Seite ihrer Rechnung.',
  },
};
