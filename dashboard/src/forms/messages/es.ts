import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer: 'El servicio no ha respondido. Compruebe la conexión e inténtelo de nuevo: nada se hace dos veces.',
  tooMany: 'Demasiados intentos. Inténtelo de nuevo en {seconds, plural, one {# segundo} other {# segundos}}.',
  ours: 'Algo ha fallado por nuestra parte y no se ha perdido nada. Inténtelo de nuevo en un momento.',
  required: 'Rellene este campo.',
  save: 'Guardar',
  saved: 'Guardado',
  cancel: 'Cancelar',
  close: 'Cerrar',
  readOnly: 'Su rol puede leer esto, pero no cambiarlo.',
  unsaved: 'Hay cambios sin guardar. ¿Salir de esta página sin ellos?',
  password: 'Contraseña',
  noPassword: 'Déjelo vacío si no tiene contraseña y usa el inicio de sesión único.',
  noPasskey: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o elija otra forma.',
  show: 'Mostrar los caracteres',
  hide: 'Ocultar los caracteres',
  passwordRules: 'Más de 8 caracteres, con una mayúscula, una minúscula, un dígito y un carácter especial.',
  passwordRefused: 'Esta contraseña no sirve. {rules} Se rechazan las contraseñas comunes o filtradas.',
  lacksRole: {
    finance: 'Solo los roles de finanzas y administración pueden hacerlo.',
    admin: 'Solo los administradores pueden hacerlo.',
  },
  codes: {
    unauthenticated: 'Su sesión ha terminado. Vuelva a cargar la página para iniciar sesión.',
    session_revoked: 'Su sesión ha terminado. Vuelva a cargar la página para iniciar sesión.',
    invalid_token: 'Este enlace ya se usó, ha caducado o fue sustituido por otro más reciente.',
    invalid_passkey: 'No se pudo comprobar la llave de acceso. Inténtelo de nuevo.',
    invalid_credentials: 'La contraseña es incorrecta.',
    reauthentication_required:
      'Inició sesión hace más de diez minutos. Cierre la sesión, vuelva a iniciarla y repita la acción.',
    invalid_code: 'El código es incorrecto, ya se usó o ha caducado.',
    second_factor_required:
      'Aquí se exige un segundo factor, así que no se puede quitar el último. Configure antes otro.',
    sso_required: 'Su empresa solo inicia sesión con inicio de sesión único.',
    wrong_account: 'La invitación es para otra dirección de correo que la de su cuenta.',
    email_taken: 'Ya existe una cuenta con este correo electrónico.',
    has_company: 'Su cuenta ya pertenece a una empresa.',
    last_admin: 'Es el último administrador de su empresa. Nombre antes a otro administrador.',
    totp_enabled: 'La aplicación de autenticación ya está configurada.',
    passkey_exists: 'Esta llave de acceso ya está registrada.',
    last_link: 'Es su única forma de iniciar sesión. Establezca antes una contraseña.',
    role_in_use:
      'Hay miembros o invitaciones pendientes con este rol, o un proveedor de inicio de sesión lo da a los nuevos miembros. Asígneles antes otro.',
    permission_not_held: 'Solo puede dar o cambiar los permisos que usted mismo tiene.',
    origin_not_allowed: 'Abra esta página en la dirección propia del servicio, por HTTPS.',
  },
};
