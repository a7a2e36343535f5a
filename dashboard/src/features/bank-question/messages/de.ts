import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Bei Ihrer Bank bestätigen',
  sandbox:
    'Die Sandbox steht für Ihre Bank: Mit einem echten Zahlungsdienst fragt hier die Seite oder App der Bank, ob Sie es sind.',
  confirm: 'Bestätigen',
  refuse: 'Ablehnen',
};
