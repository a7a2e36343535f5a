import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Webhooks',
  descriptions: {
    company: 'Un punto de conexión recibe los eventos de su empresa, firmados.',
    operator: 'Los puntos del operador reciben los eventos de todas las empresas, firmados.',
  },
  mayNot: 'Su rol no puede cambiar los puntos de conexión.',
  deliveries: 'Entregas',
  noDeliveries: 'Aún no hay entregas',
  attempts: '{count, plural, one {# intento} other {# intentos}}',
  states: { pending: 'Pendiente', delivered: 'Entregado', failed: 'Fallido' },
  add: 'Añadir punto',
  url: 'URL',
  about: 'Para qué',
  secretTitle: 'El secreto de firma se muestra una sola vez. Cópielo ahora.',
  copy: 'Copiar el secreto',
  copied: 'Copiado',
  done: 'Listo',
  types: 'Eventos',
  allTypes: 'Todos los eventos',
  statuses: {
    enabled: 'Activo',
    failing: 'Fallando',
    disabled: 'Desactivado',
  },
  test: 'Enviar una prueba',
  tested: 'El evento de prueba está en camino',
  disable: 'Desactivar',
  enable: 'Activar',
  changed: 'El punto ha cambiado',
  actions: 'Acciones',
  delete: 'Borrar punto',
  deleteText: 'No recibe más eventos y se descarta lo que le espera.',
  typeUrl: 'Escriba la URL del punto',
  empty: {
    title: 'Aún no hay puntos',
    text: 'Añada la dirección del programa que debe enterarse de facturas y pagos.',
  },
};
