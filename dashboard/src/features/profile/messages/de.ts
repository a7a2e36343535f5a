import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Ihr Profil',
  description: 'Ihre Kolleginnen und Kollegen sehen Ihren Namen. E-Mails an Sie sind in Ihrer Sprache.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  phone: 'Telefon',
  city: 'Ort',
  country: 'Land',
  language: 'Sprache',
  timeZone: 'Zeitzone',
  ofBrowser: 'Sprache des Browsers',
  ofDevice: 'Zeitzone des Geräts',
  person: {
    title: 'Sie',
    description: 'Wer Sie sind, für Ihre Kolleginnen und Kollegen.',
  },
  place: {
    title: 'Sprache und Zeit',
    description: 'Wie diese Seiten und Ihre E-Mails geschrieben sind.',
  },
  email: {
    title: 'E-Mail',
    description:
      'Damit melden Sie sich an. Sie ändert sich, wenn Sie dem Link folgen, den wir an die neue Adresse senden.',
    verified: 'Bestätigt',
    unverified: 'Nicht bestätigt',
    again: 'Bestätigung noch einmal senden',
    sentAgain: 'An {email} gesendet.',
    new: 'Neue E-Mail',
    submit: 'E-Mail ändern',
    sent: 'Wir haben einen Link an {email} gesendet. Ihre Adresse ändert sich, wenn Sie ihm folgen.',
  },
  nobody: {
    title: 'Niemand ist mit Namen angemeldet',
    text: 'Ein Schlüssel hat kein Profil. Melden Sie sich mit Ihrer E-Mail-Adresse an, um Ihres zu sehen.',
  },
};
