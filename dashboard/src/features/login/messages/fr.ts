import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Se connecter',
  consoleTitle: 'Se connecter à la console',
  email: 'E-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  forgot: 'Mot de passe oublié ?',
  show: 'Afficher le mot de passe',
  hide: 'Masquer le mot de passe',
  wrong: 'L’e-mail ou le mot de passe est incorrect.',
};
