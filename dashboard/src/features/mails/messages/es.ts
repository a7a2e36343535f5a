import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Correos',
  description: 'Lo que el servicio ha enviado, o guarda porque no hay servidor de correo.',
  one: 'Correo',
  kept: 'Los correos guardados no se envían nunca, porque no había servidor de correo configurado. Abra uno para leer su texto y pasar su enlace. Cuando SMTP_URL esté definida, el servicio enviará los correos nuevos.',
  hidden: 'El texto no se muestra: su enlace da acceso a una cuenta, o se eliminó después de 30 días.',
  statuses: {
    queued: 'En cola',
    sent: 'Enviado',
    failed: 'Fallido',
    kept: 'Guardado',
  },
  types: {
    invoice_issued: 'Factura emitida',
    receipt: 'Recibo',
    payment_failed: 'Pago fallido',
    confirmation_needed: 'Confirmación necesaria',
    card_expires: 'La tarjeta caduca',
    statement: 'Extracto de cuenta',
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
