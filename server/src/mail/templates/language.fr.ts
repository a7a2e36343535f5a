import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `Le lien ne fonctionne qu’une fois et reste valable ${valid}.`;

/** The mails in French. */
export const french: Language = {
  greeting: 'Bonjour,',
  mails: {
    verify_email: ({ seller, valid }) => ({
      subject: `Confirmez votre adresse e-mail pour ${seller}`,
      paragraphs: [`Veuillez confirmer que cette adresse e-mail est celle de votre compte chez ${seller}.`],
      button: 'Confirmer l’adresse e-mail',
      notes: [validity(valid), 'Si vous n’avez pas créé de compte, ignorez cet e-mail.'],
    }),
    reset_password: ({ seller, valid }) => ({
      subject: `Réinitialisez votre mot de passe pour ${seller}`,
      paragraphs: [
        `Vous avez demandé à réinitialiser le mot de passe de votre compte chez ${seller}.`,
        'Lorsque vous choisirez un nouveau mot de passe, tous vos appareils seront déconnectés.',
      ],
      button: 'Choisir un nouveau mot de passe',
      notes: [
        validity(valid),
        'Si vous ne l’avez pas demandé, ignorez cet e-mail\u00a0: votre mot de passe reste inchangé.',
      ],
    }),
    password_changed: ({ seller }) => ({
      subject: `Votre mot de passe pour ${seller} a été modifié`,
      paragraphs: [
        `Le mot de passe de votre compte chez ${seller} a été modifié et vos autres appareils ont été déconnectés.`,
        'Si vous ne l’avez pas modifié, réinitialisez immédiatement votre mot de passe.',
      ],
      notes: [],
    }),
    change_email: ({ seller, valid }) => ({
      subject: `Confirmez votre nouvelle adresse e-mail pour ${seller}`,
      paragraphs: [
        `Veuillez confirmer que vous souhaitez utiliser cette adresse e-mail pour votre compte chez ${seller}.`,
        'D’ici là, votre compte conserve l’ancienne adresse.',
      ],
      button: 'Confirmer la nouvelle adresse',
      notes: [validity(valid), 'Si vous ne l’avez pas demandé, ignorez cet e-mail.'],
    }),
    email_changing: ({ seller, valid, newEmail }) => ({
      subject: `L’adresse e-mail de votre compte chez ${seller} va changer`,
      paragraphs: [
        `Vous avez demandé à remplacer l’adresse e-mail de votre compte chez ${seller} par ${newEmail}. Vous n’avez rien à faire.`,
        'Si vous ne l’avez pas demandé, gardez votre adresse grâce à ce lien. Il annule la modification et déconnecte ' +
          'tous les appareils.',
      ],
      button: 'Garder mon adresse e-mail',
      notes: [validity(valid)],
    }),
    invitation: (facts) => ({
      subject: invites(facts),
      paragraphs: [invitesInRole(facts)],
      button: 'Accepter l’invitation',
      notes: [validity(facts.valid), 'Si vous ne connaissez pas la personne qui vous invite, ignorez cet e-mail.'],
    }),
    charges_held: ({ seller }) => ({
      subject: `Les paiements de ${seller} sont suspendus`,
      paragraphs: [
        `Il manque à la base de données de ${seller} ce qui a déjà été fait, ou un journal est absent. ` +
          'Le plus souvent, une sauvegarde a été restaurée, ou une bascule a perdu les dernières transactions.',
        'En attendant, rien n’est débité, remboursé ni facturé. ' +
          'Cette commande indique ce qui manque et ce qui sera fait, sans rien modifier :',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'La page « Backup and restore » de la documentation explique que faire, étape par étape. Une fausse alerte cesse d’elle-même.',
      ],
    }),
  },
};

/** Who invites to what: a member to the company, one of the staff to the seller, or the seller itself. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return `${seller} vous invite`;
  return company === '' ? `${inviter} vous invite chez ${seller}` : `${inviter} vous invite à rejoindre ${company}`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} vous invite avec le rôle ${role}.`;
  const place = company === '' ? `chez ${seller}` : `à rejoindre ${company} chez ${seller}`;
  return `${inviter} vous invite ${place} avec le rôle ${role}.`;
}
