import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  search: 'Suche',
  all: 'Alle',
  filters: 'Filter',
  clear: 'Filter löschen',
  total: '{total, plural, one {# Ergebnis} other {# Ergebnisse}}',
  page: 'Seite {page} von {pages}',
  next: 'Nächste Seite',
  previous: 'Vorige Seite',
  columns: 'Spalten',
  csv: 'CSV exportieren',
  exporting: 'Wird exportiert',
  failed: 'Die Liste konnte nicht geladen werden',
  wrongFilter: 'Die Adresse hat einen Filter, den Paydesk nicht kennt',
  noMatch: 'Nichts passt zu diesen Filtern',
  noMatchHint: 'Ändern oder löschen Sie die Filter, um mehr zu sehen.',
  requestId: 'Anfragenummer',
  retry: 'Noch einmal versuchen',
};
