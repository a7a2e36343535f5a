import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Avisos',
  description: 'Problemas que requieren a una persona. Confirme un aviso cuando su problema esté resuelto.',
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
