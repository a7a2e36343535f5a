import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Informations de facturation',
  description: 'Elles figurent sur les factures émises à partir de maintenant. Les factures émises ne changent pas.',
  save: 'Enregistrer',
  saved: 'Informations de facturation enregistrées',
  notAllowed: 'Votre rôle permet seulement de consulter les informations de facturation.',
  choose: 'Choisir un pays',
  fields: {
    organization: 'Organisation',
    firstName: 'Prénom',
    lastName: 'Nom',
    address: 'Adresse',
    zipCode: 'Code postal',
    city: 'Ville',
    province: 'Région ou province',
    country: 'Pays',
    phoneNumber: 'Téléphone',
    taxId: 'Numéro de TVA ou fiscal',
  },
  vat: {
    exempt: 'Le numéro fiscal est reconnu : les factures sont sans taxe et mentionnent l’autoliquidation.',
    none: 'Sans numéro fiscal, les factures ont {rate} de taxe.',
    shown: 'Le numéro fiscal figure sur les factures. Elles ont {rate} de taxe.',
    afterSaving: 'L’effet du numéro fiscal est connu après l’enregistrement.',
  },
  preview: { title: 'Sur la facture', empty: 'Encore rien', note: 'Les factures sont en anglais.' },
};
