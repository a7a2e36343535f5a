import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  firstName: 'Nombre',
  lastName: 'Apellidos',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Nueva contraseña',
  save: 'Guardar',
  logIn: 'Iniciar sesión',
  goOn: 'Continuar',
  hasAccount: '¿Ya tiene una cuenta?',
  backToLogin: 'Volver al inicio de sesión',
  incomplete: 'El enlace está incompleto o ya se abrió. Ábralo de nuevo desde el correo.',
  noInvitation: 'Esta invitación se aceptó, se retiró o ha caducado. Pida una nueva.',
  signup: {
    title: 'Crear su cuenta',
    description: 'Para su empresa. Después podrá invitar a sus colegas.',
    submit: 'Crear cuenta',
  },
  forgot: {
    title: 'Restablecer su contraseña',
    description: 'Enviamos un enlace a su correo electrónico. Sirve una vez, durante una hora.',
    submit: 'Enviar enlace',
    sent: 'Si {email} tiene una cuenta, un correo con un enlace está en camino. Mire también en la carpeta de correo no deseado.',
  },
  reset: {
    title: 'Establecer una contraseña nueva',
    done: 'La contraseña se ha cambiado y todas las sesiones han terminado. Inicie sesión con la nueva contraseña.',
    again: 'Enviar un enlace nuevo',
  },
  verify: {
    title: 'Correo verificado',
    done: 'Su dirección de correo está confirmada.',
    pending: 'Verificando su correo',
    failed: 'No se pudo verificar el correo',
    again: 'Puede pedir que se envíe de nuevo en la página Su perfil.',
  },
  revert: {
    title: 'Correo restablecido',
    done: 'Su dirección anterior vuelve a ser la suya y todas las sesiones han terminado. Establezca ahora una contraseña nueva: alguien puede conocer la actual.',
    pending: 'Restableciendo su correo',
    failed: 'No se pudo restablecer el correo',
    reset: 'Restablecer su contraseña',
  },
  invitation: {
    join: 'Unirse a {company}',
    joinNameless: 'Unirse a la empresa de {inviter}',
    joinStaff: 'Unirse al equipo del operador',
    description: '{inviter} invita a {email} con el rol {role}.',
    staffDescription:
      '{inviter} invita a {email} a formar parte de quienes gestionan este servicio. A continuación configurará un segundo factor.',
    submit: 'Aceptar',
    pending: 'Leyendo la invitación',
    failed: 'No se puede abrir la invitación',
    otherAccount: 'Ha iniciado sesión como {email}, y la invitación es para otra dirección.',
    logOut: 'Cerrar sesión',
    emailTaken: 'Ya tiene una cuenta. Inicie sesión con ella y acepte después.',
    notHeld: 'Quien le invitó ya no puede dar este rol. Pida una invitación nueva.',
  },
  session: {
    other: '¿Abrir otra sesión?',
    otherText:
      'Ha iniciado sesión como {email}. El enlace abre las páginas de un cliente, quizá de otra empresa. Continúe solo si acaba de venir de un producto que conoce.',
    continue: 'Continuar como cliente',
    stay: 'Seguir con la sesión',
    pending: 'Abriendo sus páginas de facturación',
    failed: 'No se puede abrir el enlace',
    invalid: 'El enlace ya se usó o ha caducado.',
    again: 'Vuelva al lugar de donde vino y abra de nuevo las páginas de facturación.',
  },
};
