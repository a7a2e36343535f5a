import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Claves de API',
  description:
    'Un programa usa la API de su empresa con una clave. Una clave puede lo que se le da, y nunca más que quien la creó.',
  create: 'Crear clave de API',
  access: 'Acceso',
  accesses: {
    view: 'Leer todo lo que usted puede leer',
    all: 'Todo lo que usted puede hacer',
  },
  created: 'La clave se muestra solo una vez. Cópiela ahora.',
  copy: 'Copiar la clave',
  copied: 'Copiada',
  done: 'Listo',
  prefix: 'Empieza por',
  delete: 'Eliminar clave de API',
  deleteText: 'Los programas que la usan se rechazan de inmediato.',
  typeName: 'Escriba el nombre de la clave',
  mayNot: 'Su rol no puede crear claves de API.',
  empty: {
    title: 'Aún no hay claves de API',
    text: 'Cree una clave para el primer programa.',
  },
};
