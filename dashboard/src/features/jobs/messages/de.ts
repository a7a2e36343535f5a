import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Aufgaben',
  description: 'Woran der Dienst im Hintergrund arbeitet, und was davon zu spät ist oder fehlschlägt.',
  kind: 'Art',
  retry: 'Jetzt ausführen',
  retried: 'Die Aufgabe läuft',
  statuses: {
    due: 'Fällig',
    running: 'Läuft',
    late: 'Zu spät',
    failing: 'Schlägt fehl',
  },
  kinds: {
    payments: 'Zahlungen',
    gateway_events: 'Gateway-Ereignisse',
    refunds: 'Erstattungen',
    usage_attributions: 'Frühe Nutzung',
    usage_thresholds: 'Nutzungsschwellen',
    billing_runs: 'Abrechnungsläufe',
    billing_previews: 'Abrechnungsvorschauen',
    schedules: 'Zeitpläne',
    mails: 'E-Mails',
    webhooks: 'Webhooks',
    collections: 'Einzüge',
    source_detachment: 'Gelöschte Karten',
  },
  empty: {
    title: 'Nichts wartet',
    text: 'Alle Arbeit im Hintergrund ist erledigt.',
  },
};
