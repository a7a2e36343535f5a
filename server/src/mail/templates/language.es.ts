import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `El enlace funciona una sola vez y es válido durante ${valid}.`;
const NOT_YOU = 'Si no ha sido usted, restablezca su contraseña de inmediato.';
const CODES_MADE =
  'Se han creado diez códigos de recuperación. Cada código funciona una vez en lugar del segundo factor.';
const CODES_GONE = 'Los códigos de recuperación ya no funcionan.';

/** The mails in Spanish. */
export const spanish: Language = {
  greeting: 'Hola:',
  factors: {
    passkey: (name) => `la llave de acceso «${name}»`,
    morePasskeys: (count) => `${count} ${count === 1 ? 'llave' : 'llaves'} de acceso más`,
    totp: 'la aplicación de autenticación',
    recoveryCodes: 'los códigos de recuperación',
  },
  mails: {
    verify_email: ({ seller, valid }) => ({
      subject: `Confirme su dirección de correo para ${seller}`,
      paragraphs: [`Confirme que esta dirección de correo electrónico pertenece a su cuenta en ${seller}.`],
      button: 'Confirmar la dirección',
      notes: [validity(valid), 'Si no ha creado ninguna cuenta, ignore este correo.'],
    }),
    reset_password: ({ seller, valid }) => ({
      subject: `Restablezca su contraseña para ${seller}`,
      paragraphs: [
        `Ha solicitado restablecer la contraseña de su cuenta en ${seller}.`,
        'Cuando elija una contraseña nueva, se cerrará la sesión en todos sus dispositivos.',
      ],
      button: 'Elegir una contraseña nueva',
      notes: [validity(valid), 'Si no lo ha solicitado, ignore este correo: su contraseña no cambia.'],
    }),
    password_changed: (facts) => ({
      subject: `Se ha cambiado su contraseña para ${facts.seller}`,
      paragraphs: [
        `Se ha cambiado la contraseña de su cuenta en ${facts.seller} y se ha cerrado la sesión en sus otros dispositivos.`,
        ...tellFactors(facts),
        'Si no la ha cambiado, restablezca su contraseña de inmediato.',
      ],
      notes: [],
    }),
    change_email: ({ seller, valid }) => ({
      subject: `Confirme su nueva dirección de correo para ${seller}`,
      paragraphs: [
        `Confirme que desea utilizar esta dirección de correo electrónico para su cuenta en ${seller}.`,
        'Hasta entonces, su cuenta conserva la dirección anterior.',
      ],
      button: 'Confirmar la nueva dirección',
      notes: [validity(valid), 'Si no lo ha solicitado, ignore este correo.'],
    }),
    email_changing: ({ seller, valid, newEmail }) => ({
      subject: `Va a cambiar la dirección de correo de su cuenta en ${seller}`,
      paragraphs: [
        `Ha solicitado cambiar la dirección de correo electrónico de su cuenta en ${seller} por ${newEmail}. No tiene que hacer nada.`,
        'Si no lo ha solicitado, conserve su dirección con este enlace. Deshace el cambio y cierra la sesión en todos ' +
          'los dispositivos.',
      ],
      button: 'Conservar mi dirección',
      notes: [validity(valid)],
    }),
    email_kept: (facts) => ({
      subject: `Su cuenta en ${facts.seller} conserva esta dirección de correo`,
      paragraphs: [
        `Se ha deshecho el cambio de la dirección de correo de su cuenta en ${facts.seller} y se ha cerrado la sesión en ` +
          'todos los dispositivos.',
        ...tellFactors(facts),
        'Restablezca ahora su contraseña: quien solicitó el cambio la conoce.',
      ],
      notes: [],
    }),
    passkey_added: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Se ha añadido una llave de acceso a su cuenta en ${seller}`,
      paragraphs: [
        `Se ha añadido la llave de acceso «${passkey}» a su cuenta en ${seller}. Con ella se inicia sesión sin su contraseña.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    passkey_removed: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Se ha eliminado una llave de acceso de su cuenta en ${seller}`,
      paragraphs: [
        `Se ha eliminado la llave de acceso «${passkey}» de su cuenta en ${seller}.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_enabled: ({ seller, withRecoveryCodes }) => ({
      subject: `Se ha añadido una aplicación de autenticación a su cuenta en ${seller}`,
      paragraphs: [
        `Para iniciar sesión en su cuenta en ${seller} ahora hace falta también un código de una aplicación de autenticación.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_disabled: ({ seller, withRecoveryCodes }) => ({
      subject: `Se ha eliminado la aplicación de autenticación de su cuenta en ${seller}`,
      paragraphs: [
        `Para iniciar sesión en su cuenta en ${seller} ya no hace falta un código de su aplicación de autenticación.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    recovery_codes_replaced: ({ seller }) => ({
      subject: `Nuevos códigos de recuperación para su cuenta en ${seller}`,
      paragraphs: [
        `Se han creado diez códigos de recuperación nuevos para su cuenta en ${seller}. Los anteriores ya no funcionan.`,
        NOT_YOU,
      ],
      notes: [],
    }),
    invitation: (facts) => ({
      subject: invites(facts),
      paragraphs: [invitesInRole(facts)],
      button: 'Aceptar la invitación',
      notes: [validity(facts.valid), 'Si no conoce a quien le invita, ignore este correo.'],
    }),
    charges_held: ({ seller }) => ({
      subject: `Los cobros de ${seller} están en pausa`,
      paragraphs: [
        `En la base de datos de ${seller} faltan operaciones que ya se realizaron, o falta un diario (journal). ` +
          'Lo más habitual es que se restaurara una copia de seguridad, o que en una conmutación por error ' +
          'se perdieran las últimas transacciones.',
        'Hasta que se resuelva, no se cobra, reembolsa ni factura nada. ' +
          'Este comando indica qué falta y qué hará Paydesk, y no cambia nada:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'La página «Backup and restore» de la documentación explica paso a paso qué hacer. Una falsa alarma se resuelve por sí sola.',
      ],
    }),
  },
};

/** Which second factors a reset or a way back has ended, and which still work. */
function tellFactors({ ended, kept }: MailFacts): string[] {
  const what = `Eliminado por haberse añadido antes de saberse que esta dirección es suya, o por otra persona: ${ended}.`;
  return [
    ...(ended === ''
      ? []
      : [`${what} Para volver a usarlo, inicie sesión con una contraseña nueva y añádalo de nuevo.`]),
    ...(kept === '' ? [] : [`Sigue siendo válido: ${kept}. Elimine lo que no conozca.`]),
  ];
}

/** Who invites to what: somebody, or else the seller itself, to the company, or else to the seller. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return company === '' ? `${seller} le invita` : `${seller} le invita a unirse a ${company}`;
  return company === '' ? `${inviter} le invita a ${seller}` : `${inviter} le invita a unirse a ${company}`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} le invita ${company === '' ? '' : `a unirse a ${company} `}con el rol ${role}.`;
  const place = company === '' ? seller : `unirse a ${company} en ${seller}`;
  return `${inviter} le invita a ${place} con el rol ${role}.`;
}
