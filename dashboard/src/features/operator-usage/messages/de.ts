import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Nutzung',
  description: 'Was eine Firma genutzt hat, nach Pfad und Zeit.',
  granularity: 'Nach',
  company: 'Firmenkennung oder external:Kennung',
  choose: 'Wählen Sie eine Firma',
  chooseText: 'Öffnen Sie die Nutzung von der Seite einer Firma, oder geben Sie oben ihre Kennung ein.',
  start: 'Beginn',
  empty: {
    title: 'Keine Nutzung',
    text: 'Das Produkt hat für diese Firma noch nichts gemeldet.',
  },
};
