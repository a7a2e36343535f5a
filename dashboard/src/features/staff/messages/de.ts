import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Personal',
  description: 'Die Menschen, die diese Konsole mit eigener Anmeldung und zweitem Faktor benutzen.',
  invite: 'Einladen',
  inviteTitle: 'Jemanden einladen',
  invited: 'Einladung gesendet',
  inviteYourself: 'Laden Sie sich unter „Personal“ ein',
  roles: {
    viewer: 'Lesend',
    finance: 'Finanzen',
    admin: 'Admin',
  },
  statuses: {
    invited: 'Eingeladen',
    active: 'Aktiv',
  },
  empty: {
    title: 'Noch niemand',
    text: 'Laden Sie ein, wer sich um Rechnungen und Zahlungen kümmert.',
  },
};
