import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rechnungen',
  invoice: 'Rechnung {number}',
  caption: 'Rechnungen, der neueste Zeitraum zuerst',
  number: 'Nummer',
  period: 'Zeitraum',
  status: 'Status',
  due: 'Fällig',
  total: 'Summe',
  method: 'Zahlungsart',
  currency: 'Währung',
  issued: 'Ausgestellt',
  paidWith: 'Bezahlt mit',
  amountFrom: 'Betrag von',
  amountTo: 'Betrag bis',
  periodFrom: 'Zeitraum von',
  periodTo: 'Zeitraum bis',
  search: 'Nach Nummer suchen',
  methods: { Card: 'Karte', paypal: 'PayPal' },
  states: {
    due: 'Offen',
    overdue: 'Überfällig',
    paid: 'Bezahlt',
    failed: 'Fehlgeschlagen',
    void: 'Storniert',
    credited: 'Gutgeschrieben',
    findingOut: 'Wird geklärt',
    debit: 'Lastschrift läuft',
    confirm: 'Bei Ihrer Bank bestätigen',
    review: 'Wird geprüft',
  },
  empty: {
    title: 'Noch keine Rechnungen',
    text: 'Die erste Rechnung erscheint hier am Ende des ersten Abrechnungszeitraums mit Nutzung.',
  },
};
