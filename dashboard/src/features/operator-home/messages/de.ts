import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  attention: 'Zu prüfen',
  nothing: 'Nichts braucht Sie.',
  due: 'Offen',
  overdue: 'Überfällig',
  failed: 'Fehlgeschlagen',
  invoices: '{count, plural, one {# Rechnung} other {# Rechnungen}}',
  months: 'Nach Monat',
  month: 'Monat',
  billed: 'In Rechnung gestellt',
  collected: 'Eingenommen',
  refunded: 'Erstattet',
  aging: 'Wie lange überfällig',
  currency: 'Währung',
  days1To30: '1–30 Tage',
  days31To60: '31–60 Tage',
  days61To90: '61–90 Tage',
  over90: 'Über 90 Tage',
  hold: 'Seit einer Wiederherstellung sind Belastungen angehalten',
  holdAction: 'Sehen, was zu tun bleibt',
  tasks: {
    reviews:
      '{count, plural, one {# Zahlung oder Erstattung braucht eine Entscheidung} other {# Zahlungen oder Erstattungen brauchen eine Entscheidung}}',
    disputes: '{count, plural, one {# Einspruch ist offen} other {# Einsprüche sind offen}}',
    alerts: '{count, plural, one {# Hinweis ist unbestätigt} other {# Hinweise sind unbestätigt}}',
    jobs: '{count, plural, one {# Aufgabe ist zu spät oder schlägt fehl} other {# Aufgaben sind zu spät oder schlagen fehl}}',
    mails: '{count, plural, one {# E-Mail wurde nicht gesendet} other {# E-Mails wurden nicht gesendet}}',
    endpoints: '{count, plural, one {# Webhook-Endpunkt schlägt fehl} other {# Webhook-Endpunkte schlagen fehl}}',
  },
  title: 'Start',
};
