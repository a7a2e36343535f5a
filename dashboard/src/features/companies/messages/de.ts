import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Firmen',
  description: 'Alle, denen Sie Rechnungen stellen.',
  search: 'Nach Name, E-Mail oder Kennung suchen',
  disabled: 'Gesperrt',
  active: 'Aktiv',
  create: 'Firma anlegen',
  createText: 'Sie braucht keine Anmeldung: Paydesk stellt ihr Rechnungen und schickt E-Mails an die Adresse hier.',
  created: '{name} ist angelegt',
  emailText: 'Dorthin gehen Rechnungen und Erinnerungen.',
  externalIdText: 'Die Kennung, die Ihr Produkt der Firma gibt, falls es eine gibt.',
  externalIdTaken: 'Eine andere Firma hat diese externe Kennung.',
  adminsOnly: 'Nur Administratoren dürfen Firmen anlegen.',
  choose: 'Firma wählen',
  invite: 'Administrator einladen',
  inviteText:
    'Eine E-Mail enthält einen Link, mit dem die Person der Firma als Administrator beitritt. Er gilt sieben Tage.',
  invited: 'Eine Einladung ist unterwegs an {email}',
  alreadyInvited: 'Für diese Adresse ist noch eine Einladung offen.',
  alreadyMember: 'Diese Person ist bereits Mitglied.',
  empty: {
    title: 'Noch keine Firmen',
    text: 'Eine Firma erscheint hier, wenn Sie sie anlegen, wenn ihr Admin sich registriert oder Ihr Produkt sie über die API anlegt.',
  },
};
