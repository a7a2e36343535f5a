import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Registro de auditoría',
  description:
    'Quién cambió qué. Un número de solicitud lleva a su entrada; de las que no cambiaron nada, el registro del servicio tiene la línea.',
  changes: 'Cambios',
  actors: {
    user: 'Un miembro',
    api_key: 'Una clave de API',
    customer_session: 'Una sesión de cliente',
    operator_key: 'Una clave del operador',
    staff: 'Personal',
    system: 'El servicio',
    command_line: 'La línea de comandos',
    anonymous: 'Nadie conectado',
  },
  empty: {
    title: 'Ninguna entrada',
    text: 'Cada cambio deja una entrada aquí.',
  },
};
