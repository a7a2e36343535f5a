import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Labels',
  description: 'Labels kennzeichnen Agenten, Tickets und Kunden.',
  create: 'Label erstellen',
  edit: 'Label bearbeiten',
  save: 'Speichern',
  delete: 'Label löschen',
  deleteText: 'Es wird von allem entfernt, was es trägt.',
  typeName: 'Geben Sie den Namen des Labels ein',
  about: 'Beschreibung',
  color: 'Farbe',
  swatches: 'Farben zur Auswahl',
  contrast: 'Kontrast {ratio}:1',
  preview: 'Vorschau',
  uses: 'Verwendet bei',
  mayNot: 'Ihre Rolle darf Labels nicht ändern.',
  colors: {
    red: 'Rot',
    orange: 'Orange',
    green: 'Grün',
    blue: 'Blau',
    violet: 'Violett',
    grey: 'Grau',
  },
  deleteChosen: 'Labels löschen',
  deleteMany: '{count, plural, one {# Label} other {# Labels}} löschen',
  deleteManyText: 'Sie werden von allem entfernt, was sie trägt, und lassen sich nicht zurückholen.',
  empty: {
    title: 'Noch keine Labels',
    text: 'Erstellen Sie das erste Label, um Tickets damit zu kennzeichnen.',
  },
};
