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
  saved: 'Le vendeur est enregistré',
  preview: 'Aperçu',
  previewText: 'Une facture d’exemple avec ce que dit le formulaire. Rien n’est conservé avant l’enregistrement.',
  openPreview: 'Ouvrir l’aperçu',
  notShown: 'Ce navigateur n’affiche pas de PDF dans une page. Ouvrez plutôt l’aperçu.',
};
