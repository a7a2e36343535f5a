import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Entreprises',
  description: 'Tous ceux que vous facturez.',
  search: 'Chercher par nom, e-mail ou identifiant',
  disabled: 'Désactivée',
  active: 'Active',
  members: 'Membres',
  cards: 'Cartes',
  paypalAccounts: 'Comptes PayPal',
  openInvoices: 'Factures ouvertes',
  due: 'À payer',
  overdue: 'En retard',
  credit: 'Avoir',
  nothing: 'Rien',
  about: 'À propos de l’entreprise',
  invoices: 'Factures',
  phone: 'Téléphone',
  view: 'Voir comme l’entreprise',
  empty: {
    title: 'Aucune entreprise pour l’instant',
    text: 'Une entreprise apparaît ici quand son admin s’inscrit ou que votre produit la crée par l’API.',
  },
};
