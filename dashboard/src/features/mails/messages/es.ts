import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Correos',
  description: 'Lo que el servicio ha enviado, o guarda porque no hay servidor de correo.',
  statuses: {
    queued: 'En cola',
    sent: 'Enviado',
    failed: 'Fallido',
    kept: 'Guardado',
  },
  types: {
    verify_email: 'Verificar el correo',
    reset_password: 'Restablecer la contraseña',
    password_changed: 'Contraseña cambiada',
    change_email: 'Cambio de correo',
    email_changing: 'El correo cambia',
    email_kept: 'Correo conservado',
    passkey_added: 'Llave de acceso añadida',
    passkey_removed: 'Llave de acceso quitada',
    totp_enabled: 'Aplicación de autenticación activada',
    totp_disabled: 'Aplicación de autenticación desactivada',
    recovery_codes_replaced: 'Nuevos códigos de recuperación',
    invitation: 'Invitación',
    charges_held: 'Cobros retenidos',
  },
  empty: {
    title: 'Aún no hay correos',
    text: 'El primero se envía cuando alguien se registra.',
  },
};
