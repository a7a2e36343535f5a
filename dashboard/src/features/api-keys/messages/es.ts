import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Claves de API',
  description:
    'Un programa usa la API de su empresa con una clave. Una clave puede lo que se le da, y nunca más que quien la creó.',
  create: 'Crear clave de API',
  permissions: 'Permisos',
  expiresOn: 'Caduca el',
  expiresText: 'La clave vale hasta el final de este día. Vacío para una clave que no caduca.',
  expired: 'Caducada',
  addresses: 'Direcciones IP permitidas',
  addressesText: 'Una por línea, o rangos como 192.0.2.0/24. Vacío para todas las direcciones.',
  allAddresses: 'Todas',
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
