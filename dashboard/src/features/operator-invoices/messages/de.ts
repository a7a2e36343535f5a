import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rechnungen',
  description: 'Die Rechnungen aller Firmen.',
  search: 'Nach Nummer suchen',
  periodFrom: 'Zeitraum von',
  periodTo: 'Zeitraum bis',
  timeline: 'Verlauf',
  due: 'Fällig',
  total: 'Summe',
  create: 'Rechnung erstellen',
  createText: 'Die Rechnung wird sofort ausgestellt und eingezogen, mit einer Zeile.',
  created: 'Rechnung {number} ist ausgestellt',
  line: 'Wofür',
  net: 'Betrag ohne Steuer',
  taxRate: 'Steuersatz in Prozent',
  void: 'Stornieren',
  voidTitle: 'Rechnung {number} stornieren',
  voidText:
    '{amount} ist nicht mehr fällig, und die Rechnung kann nicht mehr bezahlt werden. Das lässt sich nicht rückgängig machen.',
  voided: 'Rechnung {number} ist storniert',
  typeNumber: 'Geben Sie die Nummer {number} ein',
  credit: 'Gutschrift ausstellen',
  creditTitle: 'Gutschrift für {number} ausstellen',
  creditText: 'Der Betrag ist nicht mehr fällig; bei einer bezahlten Rechnung wird er Guthaben der Firma.',
  credited: 'Die Gutschrift ist ausgestellt',
  refund: 'Erstatten',
  refundTitle: 'Zahlung von {number} erstatten',
  refundText:
    '{amount} wurden bezahlt. Die Erstattung geht den Weg zurück, auf dem das Geld kam: auf die Karte oder das PayPal-Konto und das Guthaben.',
  refunded: 'Die Erstattung hat begonnen',
  charge: 'Jetzt einziehen',
  chargeText: '{amount} werden von der Standardzahlungsart der Firma eingezogen, nach ihrem Guthaben.',
  charged: 'Die Rechnung ist bezahlt',
  amount: 'Betrag ({currency})',
  postings: 'Was gebucht wird',
  empty: {
    title: 'Noch keine Rechnungen',
    text: 'Starten Sie einen Abrechnungslauf, oder erstellen Sie eine Rechnung für eine Firma.',
  },
};
