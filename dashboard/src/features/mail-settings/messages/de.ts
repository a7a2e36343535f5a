import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'E-Mail-Einstellungen',
  description: 'Die E-Mails zu Rechnungen, Zahlungen und Karten: wer sie bekommt, in welcher Sprache und welche.',
  toWhom: 'Empfänger und Sprache',
  recipients: 'Empfänger',
  recipientsText:
    'Eine E-Mail-Adresse je Zeile, höchstens zehn. Ohne Adresse gehen die E-Mails an die Mitglieder, die Team und Rollen verwalten.',
  language: 'Sprache',
  languageText: 'In einer Sprache, für die es noch keine E-Mails gibt, werden sie auf Englisch geschrieben.',
  withoutMails: '{language} (E-Mails auf Englisch)',
  which: 'E-Mails',
  whichText: 'Was ausgeschaltet ist, wird nicht gesendet.',
  about: {
    invoice_issued: 'Wenn eine Rechnung gestellt wird, mit ihrem PDF.',
    receipt: 'Wenn eine Zahlung gelungen ist.',
    payment_failed: 'Wenn eine Zahlung abgelehnt wurde, mit dem, was als Nächstes geschieht.',
    confirmation_needed: 'Wenn die Bank verlangt, dass eine Zahlung bestätigt wird.',
    card_expires: '30 Tage bevor die Standardkarte abläuft.',
  },
  saved: 'Die E-Mail-Einstellungen sind gespeichert',
  readOnly: 'Mit Ihrer Rolle können Sie die E-Mail-Einstellungen nur ansehen.',
};
