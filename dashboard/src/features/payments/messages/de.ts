import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Zahlungen',
  description: 'Jeder Versuch, eine Rechnung einzuziehen, aller Firmen.',
  paidWith: 'Bezahlt mit',
  credit: 'Guthaben',
  initiator: 'Ausgelöst von',
  initiators: {
    manual: 'Eine Person',
    automatic: 'Der Einzug',
  },
  methods: {
    Card: 'Karte',
    paypal: 'PayPal',
  },
  statuses: {
    Processing: 'Wird geklärt',
    debit: 'Lastschrift läuft',
    Succeeded: 'Erfolgreich',
    Failed: 'Fehlgeschlagen',
    RequiresAction: 'Wartet auf Bestätigung',
    NeedsReview: 'Zu prüfen',
  },
  empty: {
    title: 'Noch keine Zahlungen',
    text: 'Eine Zahlung erscheint hier, sobald eine Rechnung eingezogen wird.',
  },
};
