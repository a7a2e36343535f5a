import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Paramètres des e-mails',
  description: 'Les e-mails sur les factures, les paiements et les cartes : à qui, dans quelle langue et lesquels.',
  toWhom: 'Destinataires et langue',
  recipients: 'Destinataires',
  recipientsText:
    'Une adresse e-mail par ligne, dix au maximum. Sans adresse, les e-mails vont aux membres qui gèrent à la fois l’équipe et les rôles.',
  language: 'Langue',
  languageText: 'Dans une langue sans modèles d’e-mails, ils sont écrits en anglais.',
  withoutMails: '{language} (e-mails en anglais)',
  which: 'E-mails',
  whichText: 'Ce qui est désactivé n’est pas envoyé.',
  about: {
    invoice_issued: 'Quand une facture est émise, avec son PDF.',
    receipt: 'Quand un paiement a réussi.',
    payment_failed: 'Quand un paiement a été refusé, avec la suite prévue.',
    confirmation_needed: 'Quand la banque demande de confirmer un paiement.',
    card_expires: '30 jours avant l’expiration de la carte par défaut.',
  },
  saved: 'Les paramètres des e-mails sont enregistrés',
  readOnly: 'Votre rôle permet seulement de consulter les paramètres des e-mails.',
};
