import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  share: 'Compartir enlace',
  title: 'Enlace a la factura {number}',
  text: 'Quien tenga este enlace puede leer la factura y pagarla, sin iniciar sesión. Los correos sobre la factura también lo llevan.',
  address: 'Enlace',
  copy: 'Copiar el enlace',
  copied: 'Copiado',
  until: 'Es válido hasta',
  revoked: 'El enlace a esta factura se revocó: ya nadie puede abrirlo.',
  create: 'Crear enlace',
  created: 'El enlace nuevo ya es válido',
  replace: 'Sustituir enlace',
  replaceText:
    'El enlace anterior a la factura {number} deja de funcionar, también en los correos. Uno nuevo lo sustituye.',
  revoke: 'Revocar enlace',
  revokeText: 'El enlace a la factura {number} deja de funcionar, también en los correos. La factura no cambia.',
  wasRevoked: 'El enlace está revocado',
  notAllowed: 'Su rol solo permite copiar el enlace.',
};
