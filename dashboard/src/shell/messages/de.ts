import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  skip: 'Zum Inhalt springen',
  console: 'Paydesk-Konsole',
  menu: 'Menü',
  navigation: 'Seiten',
  sandbox: 'Sandbox: es fließt kein echtes Geld.',
  viewing: 'Sie sehen {company} wie die Mitglieder, und können nichts ändern.',
  leaveView: 'Verlassen',
  logOut: 'Abmelden',
  requestId: 'Anfragenummer',
  retry: 'Noch einmal versuchen',
  theme: { light: 'Helles Design', dark: 'Dunkles Design', system: 'Design des Geräts' },
  groups: { money: 'Geld', company: 'Firma', developers: 'Entwicklung', account: 'Konto', operations: 'Betrieb' },
  pages: {
    home: 'Start',
    invoices: 'Rechnungen',
  },
  error: {
    title: 'Etwas ist schiefgegangen',
    heading: 'Diese Seite konnte nicht angezeigt werden',
    message:
      'Ein Fehler der Seite hat sie angehalten. Laden Sie sie neu; geschieht es wieder, sagen Sie es den Betreibern dieses Dienstes.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    heading: 'Unter dieser Adresse gibt es nichts',
    message: 'Der Eintrag wurde vielleicht gelöscht, oder die Adresse ist unvollständig.',
    home: 'Zur Startseite',
  },
  palette: {
    open: 'Suchen oder springen zu',
    placeholder: 'Seiten und Aktionen suchen',
    empty: 'Nichts heißt so.',
  },
  keyboard: {
    title: 'Tastatur',
    search: 'In der Liste suchen',
    palette: 'Befehlspalette öffnen',
    help: 'Diese Hilfe zeigen',
    rows: 'Zwischen Zeilen wechseln',
    open: 'Zeile öffnen',
  },
};
