import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Avisos',
  description: 'Lo que una persona debe revisar. Confirme lo que esté hecho.',
  acknowledge: 'Confirmar',
  message: 'Qué ha pasado',
  states: {
    open: 'Abierto',
    acknowledged: 'Confirmado',
  },
  empty: {
    title: 'Ningún aviso',
    text: 'El servicio escribe aquí cuando algo requiere a una persona.',
  },
};
