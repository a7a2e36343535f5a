import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Uso',
  description: 'Lo que una empresa ha usado, por ruta y tiempo.',
  granularity: 'Por',
  company: 'Identificador o external:identificador',
  choose: 'Elija una empresa',
  chooseText: 'Abra el uso desde la página de una empresa o escriba su identificador.',
  start: 'Inicio',
  empty: {
    title: 'Ningún uso',
    text: 'El producto aún no ha comunicado nada de esta empresa.',
  },
};
