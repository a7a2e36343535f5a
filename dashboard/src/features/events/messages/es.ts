import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Eventos',
  description: 'Lo que se comunica a los webhooks, lo más reciente primero.',
  data: 'Datos',
  empty: {
    title: 'Aún no hay eventos',
    text: 'Cada cambio de un registro aparece aquí.',
  },
};
