import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rechnungsangaben',
  description: 'Sie stehen auf den Rechnungen, die ab jetzt ausgestellt werden. Frühere behalten, was auf ihnen steht.',
  save: 'Speichern',
  saved: 'Rechnungsangaben gespeichert',
  notAllowed: 'Ihre Rolle darf die Rechnungsangaben nur ansehen.',
  choose: 'Land wählen',
  fields: {
    organization: 'Organisation',
    firstName: 'Vorname',
    lastName: 'Nachname',
    address: 'Adresse',
    zipCode: 'Postleitzahl',
    city: 'Ort',
    province: 'Bundesland oder Provinz',
    country: 'Land',
    phoneNumber: 'Telefon',
    taxId: 'USt-IdNr. oder Steuernummer',
  },
  vat: {
    exempt:
      'Die Steuernummer ist erkannt: Rechnungen sind ohne Steuer und nennen die Steuerschuldnerschaft des Empfängers.',
    none: 'Ohne Steuernummer haben Rechnungen {rate} Steuer.',
    shown: 'Die Steuernummer steht auf den Rechnungen. Sie haben {rate} Steuer.',
    afterSaving: 'Was die Steuernummer ändert, zeigt sich nach dem Speichern.',
  },
  preview: { title: 'Auf der Rechnung', empty: 'Noch nichts', note: 'Rechnungen sind auf Englisch.' },
};
