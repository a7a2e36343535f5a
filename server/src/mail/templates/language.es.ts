import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `El enlace funciona una sola vez y es válido durante ${valid}.`;

/** The mails in Spanish. */
export const spanish: Language = {
  greeting: 'Hola:',
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
    password_changed: ({ seller }) => ({
      subject: `Se ha cambiado su contraseña para ${seller}`,
      paragraphs: [
        `Se ha cambiado la contraseña de su cuenta en ${seller} y se ha cerrado la sesión en sus otros dispositivos.`,
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
    invitation: (facts) => ({
      subject: invites(facts),
      paragraphs: [invitesInRole(facts)],
      button: 'Aceptar la invitación',
      notes: [validity(facts.valid), 'Si no conoce a quien le invita, ignore este correo.'],
    }),
    charges_held: ({ seller }) => ({
      subject: `Los cobros de ${seller} están en pausa`,
      paragraphs: [
        `A la base de datos de ${seller} le falta lo que ya se hizo, o falta un journal. ` +
          'Lo más habitual es que se restaurara una copia de seguridad, o que una conmutación perdiera las últimas transacciones.',
        'Mientras tanto no se cobra, reembolsa ni factura nada. ' +
          'Esta orden indica qué falta y qué se hará, y no cambia nada:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'La página «Backup and restore» de la documentación explica paso a paso qué hacer. Una falsa alarma termina por sí sola.',
      ],
    }),
  },
};

/** Who invites to what: a member to the company, one of the staff to the seller, or the seller itself. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return `${seller} le invita`;
  return company === '' ? `${inviter} le invita a ${seller}` : `${inviter} le invita a unirse a ${company}`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} le invita con el rol ${role}.`;
  const place = company === '' ? seller : `unirse a ${company} en ${seller}`;
  return `${inviter} le invita a ${place} con el rol ${role}.`;
}
