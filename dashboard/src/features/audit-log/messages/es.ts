import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Registro de auditoría',
  description: 'Quién cambió qué en su empresa.',
  changes: 'Cambios',
  actors: {
    user: 'Un miembro',
    api_key: 'Una clave de API',
    customer_session: 'Una sesión de cliente',
    operator_key: 'El operador',
    staff: 'El operador',
    system: 'El servicio',
    command_line: 'El operador',
    anonymous: 'Nadie conectado',
  },
  empty: {
    title: 'Ninguna entrada',
    text: 'Cada cambio deja una entrada aquí.',
  },
};
