import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Su perfil',
  description: 'Sus colegas ven su nombre. Los correos que recibe están en su idioma.',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  phone: 'Teléfono',
  city: 'Ciudad',
  country: 'País',
  language: 'Idioma',
  timeZone: 'Zona horaria',
  ofBrowser: 'Idioma del navegador',
  ofDevice: 'Zona horaria del dispositivo',
  person: {
    title: 'Usted',
    description: 'Quién es usted, para sus colegas.',
  },
  place: {
    title: 'Idioma y hora',
    description: 'Cómo se escriben estas páginas y sus correos.',
  },
  email: {
    title: 'Correo electrónico',
    description: 'Con él inicia sesión. Cambia cuando sigue el enlace que enviamos a la nueva dirección.',
    verified: 'Verificado',
    unverified: 'Sin verificar',
    again: 'Enviar la verificación de nuevo',
    sentAgain: 'Enviado a {email}.',
    new: 'Nuevo correo electrónico',
    submit: 'Cambiar el correo',
    sent: 'Hemos enviado un enlace a {email}. Su dirección cambia cuando lo siga.',
  },
  nobody: {
    title: 'Nadie ha iniciado sesión con su nombre',
    text: 'Una clave no tiene perfil. Inicie sesión con su correo para ver el suyo.',
  },
};
