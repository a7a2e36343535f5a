import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Réglages de l’entreprise',
  company: 'Entreprise',
  companyText: 'Le nom de l’entreprise ici. Les factures portent les informations de facturation.',
  name: 'Nom',
  email: 'E-mail',
  phone: 'Téléphone',
  address: 'Adresse',
  describe: 'Description',
  signIn: 'Connexion',
  signInText: 'Ce qui vaut pour tous les membres.',
  secondFactor: 'Exiger un second facteur',
  secondFactorText: 'Les membres qui n’en ont pas ne peuvent rien faire avant d’en créer un.',
  saved: 'Les réglages sont enregistrés',
  readOnly: 'Seuls les membres qui gèrent l’équipe peuvent modifier ceci.',
};
