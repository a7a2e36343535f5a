import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  skip: 'Ir al contenido',
  console: 'Consola de Paydesk',
  menu: 'Menú',
  navigation: 'Páginas',
  sandbox: 'Entorno de pruebas: no se mueve dinero real.',
  viewing: 'Ve {company} como sus miembros y no puede cambiar nada.',
  leaveView: 'Salir',
  logOut: 'Cerrar sesión',
  requestId: 'Número de la solicitud',
  retry: 'Intentar de nuevo',
  theme: { light: 'Tema claro', dark: 'Tema oscuro', system: 'Tema del dispositivo' },
  groups: {
    money: 'Dinero',
    company: 'Empresa',
    developers: 'Desarrollo',
    account: 'Cuenta',
    operations: 'Operaciones',
  },
  pages: {
    home: 'Inicio',
    invoices: 'Facturas',
  },
  error: {
    title: 'Algo ha fallado',
    heading: 'No se ha podido mostrar esta página',
    message:
      'Un error de la página la ha detenido. Cárguela de nuevo; si se repite, avise a quien gestiona este servicio.',
  },
  notFound: {
    title: 'Página no encontrada',
    heading: 'No hay nada en esta dirección',
    message: 'Puede que el registro se haya borrado o que la dirección esté incompleta.',
    home: 'Ir al inicio',
  },
  palette: {
    open: 'Buscar o ir a',
    placeholder: 'Buscar páginas y acciones',
    empty: 'Nada se llama así.',
  },
  keyboard: {
    title: 'Teclado',
    search: 'Buscar en la lista',
    palette: 'Abrir la paleta de comandos',
    help: 'Mostrar esta ayuda',
    rows: 'Moverse entre filas',
    open: 'Abrir la fila',
  },
};
