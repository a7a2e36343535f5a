import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Iniciar sesión',
  consoleTitle: 'Iniciar sesión en la consola',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  forgot: '¿Ha olvidado su contraseña?',
  show: 'Mostrar la contraseña',
  hide: 'Ocultar la contraseña',
  wrong: 'El correo o la contraseña no son correctos.',
};
