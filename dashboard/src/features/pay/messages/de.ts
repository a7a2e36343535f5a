import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rechnung {number} bezahlen',
  pay: '{amount} bezahlen',
  due: 'Offener Betrag',
  with: 'Bezahlen mit',
  default: 'Standard',
  expires: 'Gültig bis {date}',
  expired: 'Abgelaufen {date}',
  becomesDefault: '{name} wird auch für spätere Rechnungen zum Standard.',
  credit: 'Ihr Guthaben bezahlt zuerst {credit} davon; {rest} werden abgebucht.',
  addCard: 'Andere Karte verwenden',
  addFirst: 'Es gibt noch keine Karte. Fügen Sie eine hinzu, und bezahlen Sie dann mit ihr.',
  addCharges:
    'Diese Rechnung wartet auf eine Karte: Die Karte, die Sie hinzufügen, wird sofort mit {amount} belastet. Sie wird zur Standardkarte.',
  addOther: 'Fügen Sie eine Karte hinzu, und bezahlen Sie dann mit ihr. Sie wird zur Standardkarte.',
  noAccount:
    'Diese Rechnung wird mit PayPal bezahlt, und es ist kein PayPal-Konto ' +
    'gespeichert. Fügen Sie eines unter Zahlungsmittel hinzu.',
  cancel: 'Abbrechen',
  close: 'Schließen',
  done: 'Fertig',
  requestId: 'Anfragenummer: {id}',
  nothingCharged: 'Es wurde nichts abgebucht.',
  notCharged: 'Rechnung {number} ist nicht bezahlt',
  notSent: 'Die Bank war nicht erreichbar, und es wurde nichts abgebucht. Versuchen Sie es noch einmal.',
  needsMethod:
    'Es gibt keine Karte, die belastet werden kann. Fügen Sie eine hinzu, oder wählen Sie eine gespeicherte.',
  paid: { title: '{amount} bezahlt', text: 'Rechnung {number} ist bezahlt. Vielen Dank.' },
  findingOut: {
    title: 'Wird geklärt',
    text:
      'Die Antwort zu {amount} ist noch nicht da. Paydesk fragt weiter, auch wenn diese ' +
      'Seite geschlossen ist, und nichts wird doppelt abgebucht.',
  },
  confirm: {
    title: 'Bei Ihrer Bank bestätigen',
    text: 'Ihre Bank bittet Sie, die Zahlung von {amount} zu bestätigen. Vorher wird nichts belastet.',
    until: 'Sie wartet bis',
    action: 'Bei Ihrer Bank bestätigen',
    question: 'Ihre Bank bittet Sie, die Zahlung von {amount} zu bestätigen.',
  },
  debited: {
    title: 'Die Lastschrift über {amount} ist begonnen',
    text: 'Ihre Bank führt sie in einigen Tagen aus. Dann ist die Rechnung bezahlt, und diese Seite zeigt es.',
  },
  review: {
    title: 'Wird geprüft',
    text:
      'Die Antwort der Bank passt nicht zur Rechnung. Der Betreiber dieses Dienstes ' +
      'sieht sie sich an; bis dahin wird nichts weiter abgebucht.',
  },
  reasons: {
    refused: 'Die Bank hat die Zahlung ohne Grund abgelehnt.',
    funds: 'Das Guthaben reicht für diese Zahlung nicht aus.',
    expired: 'Die Karte ist abgelaufen.',
    lost: 'Die Karte ist als verloren gemeldet.',
    stolen: 'Die Karte ist als gestohlen gemeldet.',
    processing: 'Die Bank konnte die Zahlung gerade nicht verarbeiten.',
    details: 'Die Bank kennt die Nummer oder die Prüfziffer der Karte nicht.',
    confirm: 'Die Bank verlangt, dass der Inhaber die Zahlung bestätigt.',
    limit: 'Die Zahlung überschreitet ein Limit der Karte.',
    notSupported: 'Mit dieser Karte ist eine solche Zahlung nicht möglich.',
    closed: 'Das Konto ist geschlossen oder gesperrt.',
    notAllowed: 'Die Bank erlaubt diese Zahlung mit der Karte nicht.',
    notConfirmed: 'Die Bank hat keine Bestätigung von Ihnen bekommen.',
    confirmedLate: 'Ihre Bestätigung kam nicht rechtzeitig.',
    gateway: 'Das Zahlungsgateway nimmt diese Karte nicht an.',
  },
  next: {
    otherCard: 'Verwenden Sie eine andere Karte.',
    askBank: 'Fragen Sie Ihre Bank, oder verwenden Sie eine andere Karte.',
    later: 'Versuchen Sie es in ein paar Minuten wieder, oder verwenden Sie eine andere Karte.',
    confirmAgain: 'Bezahlen Sie noch einmal und bestätigen Sie, oder verwenden Sie eine andere Karte.',
    checkCard: 'Verwenden Sie eine andere Karte, oder speichern Sie die neue.',
  },
};
