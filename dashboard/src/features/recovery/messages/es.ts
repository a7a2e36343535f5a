import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Recuperación',
  description: 'Lo que deja por hacer una copia restaurada. Los cobros esperan hasta que las cuentas coincidan.',
  calm: 'Nada que recuperar',
  calmText: 'La base está donde dicen las pasarelas y los diarios.',
  held: 'Los cobros están retenidos',
  since: 'Desde',
  until: 'Al menos hasta',
  lastPass: 'Última comparación',
  steps: 'Qué hacer',
  stepAdopt: 'Reunir la base con las pasarelas y los diarios:',
  stepCases: 'Decidir lo que figura abajo. La retención termina sola cuando no queda nada abierto.',
  journals: 'Diarios',
  journal: 'Diario',
  seen: 'Visto',
  missing: 'Falta',
  complete: 'Completo',
  cases: 'Casos',
  what: 'Qué',
  plan: 'Qué hará la reunión',
  states: {
    open: 'Abierto',
    person: 'Para una persona',
    done: 'Hecho',
  },
  empty: {
    title: 'Ningún caso',
    text: 'Un caso aparece aquí cuando a una base restaurada le falta algo.',
  },
};
