import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Preise',
  description: 'Was eine Menge kostet, nach Pfad und Währung. Eine neue Fassung gilt ab ihrem Zeitpunkt.',
  create: 'Preis erstellen',
  created: 'Preis erstellt',
  from: 'Gilt ab',
  model: 'Modell',
  models: {
    flat: 'Je Anfrage',
    package: 'Je Paket',
    graduated: 'Gestaffelt',
    volume: 'Nach Volumen',
  },
  price: 'Preis',
  perPackage: '{amount} je {size}',
  tiers: '{count, plural, one {# Stufe} other {# Stufen}}',
  everybody: 'Alle',
  free: 'Freie Anfragen',
  unitAmount: 'Betrag je Anfrage',
  packageAmount: 'Betrag je Paket',
  packageSize: 'Anfragen je Paket',
  calculator: 'Was würde das kosten?',
  calculatorText: 'Der jetzt geltende Preis, ohne Guthaben und Steuer.',
  calculate: 'Berechnen',
  costs: '{quantity} Anfragen kosten {amount}',
  noneOfCompany: {
    title: 'Keine eigenen Preise',
    text: 'Für diese Firma gelten die allgemeinen Preise. Legen Sie auf der Seite der Preise einen eigenen an.',
  },
  empty: {
    title: 'Noch keine Preise',
    text: 'Erstellen Sie den ersten Preis, damit Nutzung abgerechnet werden kann.',
  },
};
