import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Claves del operador',
  description: 'Con las que los programas, y las personas sin acceso propio, usan el lado del operador.',
  create: 'Crear clave',
  created: 'La clave se muestra una sola vez. Cópiela ahora.',
  copy: 'Copiar la clave',
  copied: 'Copiado',
  done: 'Listo',
  prefix: 'Empieza por',
  roles: {
    viewer: 'Lectura',
    finance: 'Finanzas',
    admin: 'Administración',
    integration: 'Integración',
  },
  delete: 'Borrar clave',
  deleteText: 'Todo lo que use esta clave se rechaza al momento.',
  typeName: 'Escriba el nombre de la clave',
  empty: {
    title: 'Ninguna clave',
    text: 'Cree una clave para cada programa.',
  },
};
