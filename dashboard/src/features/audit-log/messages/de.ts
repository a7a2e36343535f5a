import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Prüfprotokoll',
  descriptions: {
    company: 'Wer in Ihrer Firma was geändert hat.',
    operator:
      'Wer was geändert hat. Eine Anfragenummer führt zu ihrem Eintrag; Anfragen ohne Änderung stehen im Protokoll des Dienstes.',
  },
  changes: 'Änderungen',
  actors: {
    user: 'Ein Mitglied',
    api_key: 'Ein API-Schlüssel',
    customer_session: 'Eine Kundensitzung',
    operator_key: 'Der Betreiber, mit einem Schlüssel',
    staff: 'Personal des Betreibers',
    system: 'Der Dienst',
    command_line: 'Der Betreiber, an der Kommandozeile',
    anonymous: 'Niemand angemeldet',
  },
  noHistory: 'Nichts verzeichnet',
  noHistoryText: 'Das Prüfprotokoll hat keinen Eintrag hierzu.',
  fields: '{count, plural, one {# Feld} other {# Felder}}',
  changedFields: '{count, plural, one {# geändertes Feld} other {# geänderte Felder}}',
  empty: {
    title: 'Keine Einträge',
    text: 'Jede Änderung hinterlässt hier einen Eintrag.',
  },
};
