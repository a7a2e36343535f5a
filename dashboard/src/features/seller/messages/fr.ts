import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Vendeur',
  description: 'Qui émet les factures. Les changements ultérieurs ne modifient pas les factures existantes.',
  name: 'Nom',
  address: 'Adresse, une ligne par ligne',
  taxId: 'Numéro de TVA',
  email: 'E-mail',
  footer: 'Pied de page',
  legal: 'Mention légale',
  onInvoice: 'Sur la facture',
  saved: 'Le vendeur est enregistré',
  preview: 'Aperçu',
};
