import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Abrechnungsläufe',
  description:
    'Jeder Lauf stellt die Rechnungen eines Monats aus. Er kann noch einmal gestartet werden: niemand wird doppelt abgerechnet.',
  start: 'Abrechnungslauf starten',
  startText:
    'Stellt die Rechnungen für {month} aus, für alle Firmen mit Nutzung oder Posten. Bestehende Rechnungen bleiben, wie sie sind.',
  started: 'Der Abrechnungslauf hat begonnen',
  running: '{month} wird abgerechnet',
  progress: '{done} von {companies} Firmen, {invoices, plural, one {# Rechnung} other {# Rechnungen}}',
  left: 'noch {seconds, plural, one {# Sekunde} other {# Sekunden}}',
  companies: 'Firmen',
  invoices: 'Rechnungen',
  failures: 'Fehler',
  skipped: 'Ohne Rechnung',
  begun: 'Begonnen',
  finished: 'Beendet',
  statuses: {
    running: 'Läuft',
    waiting: 'Wartet',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
  },
  empty: {
    title: 'Noch keine Abrechnungsläufe',
    text: 'Starten Sie einen, wenn der erste Monat mit Nutzung vorbei ist.',
  },
};
