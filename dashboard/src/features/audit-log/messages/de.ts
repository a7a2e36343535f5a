import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Prüfprotokoll',
  description: 'Wer in Ihrer Firma was geändert hat.',
  changes: 'Änderungen',
  actors: {
    user: 'Ein Mitglied',
    api_key: 'Ein API-Schlüssel',
    customer_session: 'Eine Kundensitzung',
    operator_key: 'Der Betreiber',
    staff: 'Der Betreiber',
    system: 'Der Dienst',
    command_line: 'Der Betreiber',
    anonymous: 'Niemand angemeldet',
  },
  empty: {
    title: 'Keine Einträge',
    text: 'Jede Änderung hinterlässt hier einen Eintrag.',
  },
};
