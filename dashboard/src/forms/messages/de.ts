import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer:
    'Der Dienst hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es noch einmal: nichts geschieht doppelt.',
  tooMany: 'Zu viele Versuche. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.',
  ours: 'Bei uns ist etwas schiefgegangen, und nichts ging verloren. Versuchen Sie es gleich noch einmal.',
  required: 'Füllen Sie dieses Feld aus.',
  save: 'Speichern',
  saved: 'Gespeichert',
  cancel: 'Abbrechen',
  close: 'Schließen',
  unsaved: 'Einige Änderungen sind nicht gespeichert. Seite trotzdem verlassen?',
};
