import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Betreiberschlüssel',
  description: 'Mit denen Programme, und Menschen ohne eigene Anmeldung, die Betreiberseite benutzen.',
  create: 'Schlüssel erstellen',
  created: 'Der Schlüssel wird nur einmal gezeigt. Kopieren Sie ihn jetzt.',
  copy: 'Schlüssel kopieren',
  copied: 'Kopiert',
  done: 'Fertig',
  prefix: 'Beginnt mit',
  roles: {
    viewer: 'Lesend',
    finance: 'Finanzen',
    admin: 'Admin',
    integration: 'Integration',
  },
  delete: 'Schlüssel löschen',
  deleteText: 'Was diesen Schlüssel benutzt, wird sofort abgewiesen.',
  typeName: 'Geben Sie den Namen des Schlüssels ein',
  empty: {
    title: 'Keine Schlüssel',
    text: 'Erstellen Sie für jedes Programm einen Schlüssel.',
  },
};
