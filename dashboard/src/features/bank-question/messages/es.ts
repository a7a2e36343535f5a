import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Confirmar con su banco',
  sandbox:
    'El entorno de pruebas hace de banco: con una pasarela real, la página o la aplicación del banco pregunta aquí si es usted.',
  confirm: 'Confirmar',
  refuse: 'Rechazar',
};
