import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Entreprises',
  description: 'Tous ceux que vous facturez.',
  search: 'Chercher par nom, e-mail ou identifiant',
  disabled: 'Désactivée',
  active: 'Active',
  create: 'Créer une entreprise',
  createText: 'Elle n’a pas besoin de compte : Paydesk la facture et envoie ses e-mails à l’adresse indiquée ici.',
  created: '{name} est créée',
  emailText: 'L’adresse qui reçoit les factures et les rappels.',
  externalIdText: 'L’identifiant que votre produit donne à l’entreprise, s’il y en a un.',
  externalIdTaken: 'Une autre entreprise a cet identifiant externe.',
  adminsOnly: 'Seuls les administrateurs peuvent créer des entreprises.',
  choose: 'Choisir une entreprise',
  invite: 'Inviter un administrateur',
  inviteText:
    'Un e-mail contient un lien avec lequel la personne rejoint l’entreprise comme administrateur. Il est valable sept jours.',
  invited: 'Une invitation est envoyée à {email}',
  alreadyInvited: 'Une invitation est encore ouverte pour cette adresse.',
  alreadyMember: 'Cette personne est déjà membre.',
  empty: {
    title: 'Aucune entreprise pour l’instant',
    text: 'Une entreprise apparaît ici quand vous la créez, quand son admin s’inscrit ou que votre produit la crée par l’API.',
  },
};
