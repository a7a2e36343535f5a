import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer: 'El servicio no ha respondido. Compruebe la conexión e inténtelo de nuevo: nada se hace dos veces.',
  tooMany: 'Demasiados intentos. Inténtelo de nuevo en {seconds, plural, one {# segundo} other {# segundos}}.',
  ours: 'Algo ha fallado por nuestra parte y no se ha perdido nada. Inténtelo de nuevo en un momento.',
  required: 'Rellene este campo.',
  save: 'Guardar',
  saved: 'Guardado',
  cancel: 'Cancelar',
  close: 'Cerrar',
  unsaved: 'Hay cambios sin guardar. ¿Salir de esta página sin ellos?',
};
