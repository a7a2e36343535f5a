import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Firmen',
  description: 'Alle, denen Sie Rechnungen stellen.',
  search: 'Nach Name, E-Mail oder Kennung suchen',
  disabled: 'Gesperrt',
  active: 'Aktiv',
  members: 'Mitglieder',
  cards: 'Karten',
  paypalAccounts: 'PayPal-Konten',
  openInvoices: 'Offene Rechnungen',
  due: 'Fällig',
  overdue: 'Überfällig',
  credit: 'Guthaben',
  nothing: 'Nichts',
  about: 'Über die Firma',
  invoices: 'Rechnungen',
  phone: 'Telefon',
  view: 'Als Firma ansehen',
  empty: {
    title: 'Noch keine Firmen',
    text: 'Eine Firma erscheint hier, wenn sich ihr Admin registriert oder Ihr Produkt sie über die API anlegt.',
  },
};
