import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Anmelden',
  consoleTitle: 'An der Konsole anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  forgot: 'Passwort vergessen?',
  show: 'Passwort zeigen',
  hide: 'Passwort verbergen',
  wrong: 'E-Mail oder Passwort ist falsch.',
};
