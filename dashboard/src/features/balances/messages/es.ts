import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Saldos',
  description: 'Lo que contiene cada cuenta, por moneda.',
  empty: {
    title: 'Ningún saldo',
    text: 'La primera factura se asienta en el libro.',
  },
};
