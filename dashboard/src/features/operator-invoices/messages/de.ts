import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rechnungen',
  description: 'Die Rechnungen aller Firmen.',
  search: 'Nach Nummer suchen',
  periodFrom: 'Zeitraum von',
  periodTo: 'Zeitraum bis',
  due: 'Fällig',
  total: 'Summe',
  empty: {
    title: 'Noch keine Rechnungen',
    text: 'Starten Sie einen Abrechnungslauf, oder erstellen Sie eine Rechnung für eine Firma.',
  },
};
