import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Roles',
  description:
    'Un rol indica lo que puede hacer un miembro de su empresa. Los roles del sistema son iguales en todas las empresas.',
  create: 'Crear rol',
  created: 'El rol se ha creado',
  edit: 'Editar rol',
  saved: 'El rol se ha guardado',
  show: 'Ver rol',
  delete: 'Eliminar rol',
  deleteText:
    'Nadie puede tenerlo: ningún miembro, ninguna invitación pendiente y ningún proveedor de inicio de sesión.',
  typeName: 'Escriba el nombre del rol',
  about: 'Descripción',
  kind: 'Tipo',
  kinds: { system: 'Sistema', own: 'Propio' },
  permissions: 'Permisos',
  everything: 'Todo',
  nothing: 'Nada',
  flags: { view: 'Ver', all: 'Cambiar' },
  summary: { view: 'Ver: {entries}', all: 'Cambiar: {entries}' },
  parts: { platform: 'Empresa', application: 'Aplicación' },
  entries: {
    platform: {
      billing: 'Facturación',
      admins: 'Equipo y ajustes',
      roles: 'Roles',
      applications: 'Claves de API y webhooks (estos reciben todos los eventos)',
    },
    application: {
      tickets: 'Tickets',
      customers: 'Clientes',
      agents: 'Agentes',
      live_map: 'Mapa en vivo',
      labels: 'Etiquetas',
      settings: 'Ajustes de la aplicación',
    },
  },
  system: {
    Admin: 'Administra todo en la empresa.',
    'Billing manager': 'Administra las facturas, los métodos de pago y los datos de facturación.',
    'Support agent': 'Administra los tickets, los clientes, el mapa en vivo y las etiquetas.',
    Viewer: 'Ve todo en la empresa y no cambia nada.',
    Customer: 'Usa la aplicación móvil y no administra nada.',
  },
  lacksSome: 'Solo puede dar los permisos que usted mismo tiene.',
  mayNot: 'Su rol no permite cambiar roles.',
  beyond: 'Este rol puede hacer más que el suyo, por lo que no puede cambiarlo.',
  actions: 'Acciones',
  empty: { title: 'Aún no hay roles', text: 'Cree el primer rol propio.' },
};
