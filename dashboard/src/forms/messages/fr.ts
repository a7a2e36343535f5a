import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer: 'Le service n’a pas répondu. Vérifiez votre connexion et réessayez : rien n’est fait deux fois.',
  tooMany: 'Trop d’essais. Réessayez dans {seconds, plural, one {# seconde} other {# secondes}}.',
  ours: 'Une erreur est survenue de notre côté, et rien n’a été perdu. Réessayez dans un instant.',
  required: 'Remplissez ce champ.',
  save: 'Enregistrer',
  saved: 'Enregistré',
  cancel: 'Annuler',
  close: 'Fermer',
  readOnly: 'Votre rôle permet de lire ceci, pas de le modifier.',
  unsaved: 'Des modifications ne sont pas enregistrées. Quitter cette page sans elles ?',
  password: 'Mot de passe',
  noPassword: 'Laissez ce champ vide si vous n’avez pas de mot de passe et utilisez l’authentification unique.',
  noPasskey: 'Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez un autre moyen.',
  show: 'Afficher les caractères',
  hide: 'Masquer les caractères',
  passwordRules: 'Plus de 8 caractères, avec une majuscule, une minuscule, un chiffre et un caractère spécial.',
  passwordRefused: 'Ce mot de passe ne convient pas. {rules} Les mots de passe courants ou divulgués sont refusés.',
  lacksRole: { finance: 'Réservé aux rôles finance et admin.', admin: 'Réservé aux admins.' },
  codes: {
    unauthenticated: 'Votre session est fermée. Rechargez la page pour vous connecter.',
    session_revoked: 'Votre session est fermée. Rechargez la page pour vous connecter.',
    invalid_token: 'Ce lien a été utilisé, a expiré ou a été remplacé par un plus récent.',
    invalid_passkey: 'La clé d’accès n’a pas pu être vérifiée. Réessayez.',
    invalid_credentials: 'Le mot de passe est incorrect.',
    reauthentication_required:
      'Votre connexion date de plus de dix minutes. Déconnectez-vous, reconnectez-vous, puis recommencez.',
    invalid_code: 'Le code est incorrect, déjà utilisé ou expiré.',
    second_factor_required:
      'Un second facteur est exigé ici : le dernier ne peut pas être retiré. Configurez-en d’abord un autre.',
    sso_required: 'Votre entreprise se connecte uniquement par authentification unique.',
    wrong_account: 'L’invitation concerne une autre adresse e-mail que celle de votre compte.',
    email_taken: 'Un compte avec cette adresse e-mail existe déjà.',
    has_company: 'Votre compte appartient déjà à une entreprise.',
    last_admin: 'Vous êtes le dernier administrateur de votre entreprise. Nommez d’abord un autre administrateur.',
    totp_enabled: 'L’application d’authentification est déjà configurée.',
    passkey_exists: 'Cette clé d’accès est déjà enregistrée.',
    last_link: 'C’est votre seul moyen de vous connecter. Définissez d’abord un mot de passe.',
    role_in_use:
      'Des membres ou des invitations en cours ont ce rôle, ou un fournisseur de connexion le donne aux nouveaux membres. Donnez-leur d’abord un autre rôle.',
    permission_not_held: 'Vous ne pouvez donner ou modifier que les autorisations que vous avez vous-même.',
    origin_not_allowed: 'Ouvrez cette page à l’adresse propre du service, en HTTPS.',
  },
};
