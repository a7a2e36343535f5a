import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'API-Schlüssel',
  description:
    'Ein Programm nutzt mit einem Schlüssel die API Ihres Unternehmens. Ein Schlüssel darf, was ihm gegeben wird, und nie mehr als sein Ersteller.',
  create: 'API-Schlüssel erstellen',
  permissions: 'Berechtigungen',
  expiresOn: 'Läuft ab am',
  expiresText: 'Der Schlüssel gilt bis zum Ende dieses Tages. Leer für einen Schlüssel, der nicht abläuft.',
  expired: 'Abgelaufen',
  addresses: 'Erlaubte IP-Adressen',
  addressesText: 'Eine pro Zeile, oder Bereiche wie 192.0.2.0/24. Leer für alle Adressen.',
  allAddresses: 'Alle',
  created: 'Der Schlüssel wird nur einmal angezeigt. Kopieren Sie ihn jetzt.',
  copy: 'Schlüssel kopieren',
  copied: 'Kopiert',
  done: 'Fertig',
  prefix: 'Beginnt mit',
  delete: 'API-Schlüssel löschen',
  deleteText: 'Programme, die ihn nutzen, werden sofort abgewiesen.',
  typeName: 'Geben Sie den Namen des Schlüssels ein',
  mayNot: 'Ihre Rolle darf keine API-Schlüssel erstellen.',
  empty: {
    title: 'Noch keine API-Schlüssel',
    text: 'Erstellen Sie einen Schlüssel für das erste Programm.',
  },
};
