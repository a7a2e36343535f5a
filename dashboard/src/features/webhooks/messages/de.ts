import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Webhooks',
  descriptions: {
    company: 'Ein Endpunkt erhält die signierten Ereignisse Ihres Unternehmens.',
    operator: 'Endpunkte des Betreibers erhalten die Ereignisse aller Firmen, signiert.',
  },
  mayNot: 'Ihre Rolle darf Endpunkte nicht ändern.',
  deliveries: 'Zustellungen',
  noDeliveries: 'Noch keine Zustellungen',
  attempts: '{count, plural, one {# Versuch} other {# Versuche}}',
  states: { pending: 'Ausstehend', delivered: 'Zugestellt', failed: 'Fehlgeschlagen' },
  add: 'Endpunkt hinzufügen',
  url: 'URL',
  about: 'Wofür',
  secretTitle: 'Das Geheimnis zum Signieren wird nur einmal gezeigt. Kopieren Sie es jetzt.',
  copy: 'Geheimnis kopieren',
  copied: 'Kopiert',
  done: 'Fertig',
  types: 'Ereignisse',
  allTypes: 'Alle Ereignisse',
  statuses: {
    enabled: 'Aktiv',
    failing: 'Schlägt fehl',
    disabled: 'Abgeschaltet',
  },
  test: 'Test senden',
  tested: 'Das Testereignis ist unterwegs',
  disable: 'Abschalten',
  enable: 'Einschalten',
  changed: 'Der Endpunkt ist geändert',
  actions: 'Aktionen',
  delete: 'Endpunkt löschen',
  deleteText: 'Er erhält keine Ereignisse mehr, und was auf ihn wartet, entfällt.',
  typeUrl: 'Geben Sie die URL des Endpunkts ein',
  empty: {
    title: 'Noch keine Endpunkte',
    text: 'Fügen Sie die Adresse des Programms hinzu, das von Rechnungen und Zahlungen erfahren soll.',
  },
};
