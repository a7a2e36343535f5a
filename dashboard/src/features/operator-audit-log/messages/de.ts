import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Prüfprotokoll',
  description:
    'Wer was geändert hat. Eine Anfragenummer führt zu ihrem Eintrag; Anfragen ohne Änderung stehen im Protokoll des Dienstes.',
  changes: 'Änderungen',
  actors: {
    user: 'Ein Mitglied',
    api_key: 'Ein API-Schlüssel',
    customer_session: 'Eine Kundensitzung',
    operator_key: 'Ein Betreiberschlüssel',
    staff: 'Personal',
    system: 'Der Dienst',
    command_line: 'Die Kommandozeile',
    anonymous: 'Niemand angemeldet',
  },
  empty: {
    title: 'Keine Einträge',
    text: 'Jede Änderung hinterlässt hier einen Eintrag.',
  },
};
