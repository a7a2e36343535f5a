import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  firstName: 'Prénom',
  lastName: 'Nom',
  email: 'E-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  save: 'Enregistrer',
  logIn: 'Se connecter',
  goOn: 'Continuer',
  hasAccount: 'Vous avez déjà un compte ?',
  backToLogin: 'Retour à la connexion',
  incomplete: 'Le lien est incomplet ou a déjà été ouvert. Ouvrez-le à nouveau depuis l’e-mail.',
  noInvitation: 'Cette invitation a été acceptée ou retirée, ou elle a expiré. Demandez-en une nouvelle.',
  signup: {
    title: 'Créer votre compte',
    description: 'Pour votre entreprise. Vous inviterez vos collègues ensuite.',
    submit: 'Créer le compte',
  },
  forgot: {
    title: 'Réinitialiser votre mot de passe',
    description: 'Nous envoyons un lien à votre adresse e-mail. Il fonctionne une fois, pendant une heure.',
    submit: 'Envoyer le lien',
    sent: 'Si {email} a un compte, un e-mail contenant un lien est en route. Regardez aussi dans vos indésirables.',
  },
  reset: {
    title: 'Définir un nouveau mot de passe',
    done: 'Votre mot de passe est modifié et toutes les sessions sont fermées. Connectez-vous avec le nouveau mot de passe.',
    again: 'Envoyer un nouveau lien',
  },
  verify: {
    title: 'E-mail vérifié',
    done: 'Votre adresse e-mail est confirmée.',
    pending: 'Vérification de votre e-mail',
    failed: 'L’e-mail n’a pas pu être vérifié',
    again: 'Vous pouvez faire renvoyer l’e-mail depuis la page Votre profil.',
  },
  revert: {
    title: 'E-mail rétabli',
    done: 'Votre ancienne adresse e-mail est rétablie et toutes les sessions sont fermées. Définissez maintenant un nouveau mot de passe : quelqu’un connaît peut-être l’actuel.',
    pending: 'Rétablissement de votre e-mail',
    failed: 'L’e-mail n’a pas pu être rétabli',
    reset: 'Réinitialiser votre mot de passe',
  },
  invitation: {
    join: 'Rejoindre {company}',
    joinNameless: 'Rejoindre l’entreprise de {inviter}',
    joinStaff: 'Rejoindre l’équipe de l’opérateur',
    description: '{inviter} invite {email} avec le rôle {role}.',
    staffDescription:
      '{inviter} invite {email} parmi les personnes qui gèrent ce service. Vous configurerez ensuite un second facteur.',
    submit: 'Accepter',
    pending: 'Lecture de l’invitation',
    failed: 'L’invitation ne peut pas être ouverte',
    otherAccount: 'Vous êtes connecté en tant que {email}, et l’invitation concerne une autre adresse.',
    logOut: 'Se déconnecter',
    emailTaken: 'Vous avez déjà un compte. Connectez-vous, puis acceptez.',
    notHeld: 'La personne qui vous a invité ne peut plus donner ce rôle. Demandez une nouvelle invitation.',
  },
  session: {
    other: 'Ouvrir une autre session ?',
    otherText:
      'Vous êtes connecté en tant que {email}. Le lien ouvre les pages d’un client, peut-être d’une autre entreprise. Ne continuez que si vous venez d’un produit que vous connaissez.',
    continue: 'Continuer en tant que client',
    stay: 'Rester connecté',
    pending: 'Ouverture de vos pages de facturation',
    failed: 'Le lien ne peut pas être ouvert',
    invalid: 'Le lien a déjà été utilisé ou a expiré.',
    again: 'Retournez d’où vous venez et ouvrez à nouveau les pages de facturation.',
  },
};
