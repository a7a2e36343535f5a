import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Votre profil',
  description: 'Vos collègues voient votre nom. Vos e-mails sont dans votre langue.',
  firstName: 'Prénom',
  lastName: 'Nom',
  phone: 'Téléphone',
  city: 'Ville',
  country: 'Pays',
  language: 'Langue',
  timeZone: 'Fuseau horaire',
  ofBrowser: 'Langue du navigateur',
  ofDevice: 'Fuseau horaire de l’appareil',
  person: {
    title: 'Vous',
    description: 'Qui vous êtes, pour vos collègues.',
  },
  place: {
    title: 'Langue et heure',
    description: 'La façon dont ces pages et vos e-mails sont rédigés.',
  },
  email: {
    title: 'E-mail',
    description: 'Il vous sert à vous connecter. Il change lorsque vous suivez le lien envoyé à la nouvelle adresse.',
    verified: 'Vérifié',
    unverified: 'Non vérifié',
    again: 'Renvoyer la vérification',
    sentAgain: 'Envoyé à {email}.',
    new: 'Nouvel e-mail',
    submit: 'Changer l’e-mail',
    sent: 'Nous avons envoyé un lien à {email}. Votre adresse change lorsque vous le suivez.',
  },
  nobody: {
    title: 'Personne n’est connecté en son nom',
    text: 'Une clé n’a pas de profil. Connectez-vous avec votre adresse e-mail pour voir le vôtre.',
  },
};
