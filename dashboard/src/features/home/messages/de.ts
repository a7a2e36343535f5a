import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Start',
  pay: 'Bezahlen',
  due: {
    title: 'Offen',
    none: 'Nichts',
    noneHint: 'Alle Rechnungen sind bezahlt.',
    invoices: '{invoices, plural, one {# Rechnung} other {# Rechnungen}}',
    overdue: '{amount} überfällig',
    next: 'nächste am {date}',
  },
  next: { title: 'Nächste Rechnung', asOfNow: 'Stand jetzt' },
  usage: {
    title: 'Nutzung in diesem Monat',
    last: '{quantity} im letzten Monat',
    more: '{change} mehr als im letzten Monat ({quantity})',
    less: '{change} weniger als im letzten Monat ({quantity})',
  },
  attention: {
    show: 'Anzeigen',
    failed:
      '{failed, plural, one {Die Zahlung einer Rechnung ist fehlgeschlagen} ' +
      'other {Die Zahlungen von # Rechnungen sind fehlgeschlagen}}',
    failedText: 'Bezahlen Sie mit einer anderen Karte, oder lesen Sie, was die Bank sagt.',
    overdue: '{overdue, plural, one {Eine Rechnung ist überfällig} other {# Rechnungen sind überfällig}}',
    verify: 'Bestätigen Sie Ihre E-Mail-Adresse',
    verifyText: 'Der Link steht in einer Mail an {email}.',
    send: 'Link erneut senden',
    sent: 'Ein neuer Link ist unterwegs an {email}',
    notSent: 'Der Link wurde nicht gesendet',
  },
  setup: {
    title: 'Ihre Firma einrichten',
    progress: '{done} von {steps} erledigt',
    done: '(erledigt)',
    email: 'E-Mail-Adresse bestätigen',
    emailText: 'Folgen Sie dem Link in der Mail.',
    address: 'Adresse hinzufügen',
    addressText: 'Jede Karte gehört zu einer Adresse.',
    card: 'Karte hinzufügen',
    cardText: 'Fällige Rechnungen werden von ihr abgebucht.',
    billingInformation: 'Rechnungsangaben ausfüllen',
    billingInformationText: 'Sie stehen auf Ihren Rechnungen.',
    colleague: 'Eine Kollegin oder einen Kollegen einladen',
    colleagueText: 'Damit jemand da ist, wenn Sie nicht da sind.',
  },
  recent: {
    title: 'Neueste Rechnungen',
    all: 'Alle Rechnungen',
    empty: 'Noch keine Rechnungen',
    emptyText: 'Die erste erscheint am Ende des ersten Abrechnungszeitraums mit Nutzung.',
    number: 'Nummer',
    period: 'Zeitraum',
    status: 'Status',
    due: 'Fällig',
    total: 'Summe',
  },
};
