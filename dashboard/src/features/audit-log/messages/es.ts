import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Registro de auditoría',
  descriptions: {
    company: 'Quién cambió qué en su empresa.',
    operator:
      'Quién cambió qué. Un número de solicitud lleva a su entrada; de las que no cambiaron nada, el registro del servicio tiene la línea.',
  },
  changes: 'Cambios',
  actors: {
    user: 'Un miembro',
    api_key: 'Una clave de API',
    customer_session: 'Una sesión de cliente',
    operator_key: 'El operador, con una clave',
    staff: 'El personal del operador',
    system: 'El servicio',
    command_line: 'El operador, en la línea de comandos',
    anonymous: 'Nadie conectado',
  },
  noHistory: 'No hay nada registrado',
  noHistoryText: 'El registro de auditoría no tiene ninguna entrada sobre esto.',
  fields: '{count, plural, one {# campo} other {# campos}}',
  changedFields: '{count, plural, one {# campo modificado} other {# campos modificados}}',
  empty: {
    title: 'Ninguna entrada',
    text: 'Cada cambio deja una entrada aquí.',
  },
};
