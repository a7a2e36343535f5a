import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Firmeneinstellungen',
  company: 'Firma',
  companyText: 'Wie die Firma hier heißt. Auf Rechnungen stehen die Rechnungsangaben.',
  name: 'Name',
  email: 'E-Mail',
  phone: 'Telefon',
  address: 'Anschrift',
  describe: 'Beschreibung',
  signIn: 'Anmeldung',
  signInText: 'Was für alle Mitglieder gilt.',
  secondFactor: 'Zweiten Faktor verlangen',
  secondFactorText: 'Mitglieder ohne ihn können nichts tun, bis sie einen eingerichtet haben.',
  saved: 'Die Einstellungen sind gespeichert',
  readOnly: 'Nur Mitglieder, die das Team verwalten dürfen, können das ändern.',
};
