import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `Le lien ne fonctionne qu’une fois et reste valable ${valid}.`;
const NOT_YOU = 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe.';
const CODES_MADE =
  'Dix codes de récupération ont été créés. Chaque code fonctionne une fois à la place du second facteur.';
const CODES_GONE = 'Les codes de récupération ne fonctionnent plus.';

/** The mails in French. */
export const french: Language = {
  greeting: 'Bonjour,',
  factors: {
    passkey: (name) => `la clé d’accès «\u00a0${name}\u00a0»`,
    morePasskeys: (count) => `${count} ${count === 1 ? 'autre clé' : 'autres clés'} d’accès`,
    totp: 'l’application d’authentification',
    recoveryCodes: 'les codes de récupération',
  },
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
    password_changed: (facts) => ({
      subject: `Votre mot de passe pour ${facts.seller} a été modifié`,
      paragraphs: [
        `Le mot de passe de votre compte chez ${facts.seller} a été modifié et vos autres appareils ont été déconnectés.`,
        ...tellFactors(facts),
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
      subject: `L’adresse e-mail de votre compte chez ${seller} va être modifiée`,
      paragraphs: [
        `Vous avez demandé à remplacer l’adresse e-mail de votre compte chez ${seller} par ${newEmail}. Vous n’avez rien à faire.`,
        'Si vous ne l’avez pas demandé, conservez votre adresse à l’aide de ce lien. Il annule la modification et déconnecte ' +
          'tous les appareils.',
      ],
      button: 'Conserver mon adresse e-mail',
      notes: [validity(valid)],
    }),
    email_kept: (facts) => ({
      subject: `Votre compte chez ${facts.seller} conserve cette adresse e-mail`,
      paragraphs: [
        `La modification de l’adresse e-mail de votre compte chez ${facts.seller} a été annulée et tous les appareils ont ` +
          'été déconnectés.',
        ...tellFactors(facts),
        'Réinitialisez maintenant votre mot de passe\u00a0: la personne qui a demandé la modification le connaît.',
      ],
      notes: [],
    }),
    passkey_added: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Une clé d’accès a été ajoutée à votre compte chez ${seller}`,
      paragraphs: [
        `La clé d’accès «\u00a0${passkey}\u00a0» a été ajoutée à votre compte chez ${seller}. ` +
          'Elle permet de se connecter sans votre mot de passe.',
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    passkey_removed: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Une clé d’accès a été supprimée de votre compte chez ${seller}`,
      paragraphs: [
        `La clé d’accès «\u00a0${passkey}\u00a0» a été supprimée de votre compte chez ${seller}.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_enabled: ({ seller, withRecoveryCodes }) => ({
      subject: `Une application d’authentification a été ajoutée à votre compte chez ${seller}`,
      paragraphs: [
        `La connexion à votre compte chez ${seller} demande désormais aussi un code d’une application d’authentification.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_disabled: ({ seller, withRecoveryCodes }) => ({
      subject: `L’application d’authentification a été supprimée de votre compte chez ${seller}`,
      paragraphs: [
        `La connexion à votre compte chez ${seller} ne demande plus de code de votre application d’authentification.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    recovery_codes_replaced: ({ seller }) => ({
      subject: `Nouveaux codes de récupération pour votre compte chez ${seller}`,
      paragraphs: [
        `Dix nouveaux codes de récupération ont été créés pour votre compte chez ${seller}. Les précédents ne fonctionnent plus.`,
        NOT_YOU,
      ],
      notes: [],
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
        `Des opérations déjà effectuées manquent dans la base de données de ${seller}, ou un journal est absent. ` +
          'Le plus souvent, une sauvegarde a été restaurée, ou un basculement a fait perdre les dernières transactions.',
        'Tant que ce n’est pas résolu, rien n’est débité, remboursé ni facturé. ' +
          'Cette commande indique ce qui manque et ce que Paydesk fera, sans rien modifier\u00a0:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'La page «\u00a0Backup and restore\u00a0» de la documentation explique que faire, étape par étape. ' +
          'Une fausse alerte se résout d’elle-même.',
      ],
    }),
  },
};

/** Which second factors a reset or a way back has ended, and which still work. */
function tellFactors({ ended, kept }: MailFacts): string[] {
  const what = `Supprimé, car ajouté avant que cette adresse soit reconnue comme la vôtre, ou par quelqu’un d’autre\u00a0: ${ended}.`;
  return [
    ...(ended === ''
      ? []
      : [
          `${what} Pour vous en servir de nouveau, connectez-vous avec un nouveau mot de passe et refaites la configuration.`,
        ]),
    ...(kept === '' ? [] : [`Toujours valable\u00a0: ${kept}. Supprimez ce que vous ne connaissez pas.`]),
  ];
}

/** Who invites to what: somebody, or else the seller itself, to the company, or else to the seller. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return company === '' ? `${seller} vous invite` : `${seller} vous invite à rejoindre ${company}`;
  return company === '' ? `${inviter} vous invite chez ${seller}` : `${inviter} vous invite à rejoindre ${company}`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '')
    return `${seller} vous invite ${company === '' ? '' : `à rejoindre ${company} `}avec le rôle ${role}.`;
  const place = company === '' ? `chez ${seller}` : `à rejoindre ${company} chez ${seller}`;
  return `${inviter} vous invite ${place} avec le rôle ${role}.`;
}
