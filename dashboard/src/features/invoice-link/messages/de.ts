import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  share: 'Link teilen',
  title: 'Link zu Rechnung {number}',
  text: 'Wer diesen Link hat, kann die Rechnung ohne Anmeldung lesen und bezahlen. Auch E-Mails zur Rechnung enthalten ihn.',
  address: 'Link',
  copy: 'Link kopieren',
  copied: 'Kopiert',
  until: 'Er gilt bis',
  revoked: 'Der Link zu dieser Rechnung wurde widerrufen: Niemand kann ihn mehr öffnen.',
  create: 'Link erstellen',
  created: 'Der neue Link gilt ab jetzt',
  replace: 'Link ersetzen',
  replaceText:
    'Der bisherige Link zu Rechnung {number} wird ungültig, auch in E-Mails. Ein neuer tritt an seine Stelle.',
  revoke: 'Link widerrufen',
  revokeText: 'Der Link zu Rechnung {number} wird ungültig, auch in E-Mails. Die Rechnung bleibt, wie sie ist.',
  wasRevoked: 'Der Link ist widerrufen',
  notAllowed: 'Mit Ihrer Rolle können Sie den Link nur kopieren.',
};
