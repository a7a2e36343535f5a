import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Ajustes de los correos',
  description: 'Los correos sobre facturas, pagos y tarjetas: quién los recibe, en qué idioma y cuáles.',
  toWhom: 'Destinatarios e idioma',
  recipients: 'Destinatarios',
  recipientsText:
    'Una dirección de correo por línea, diez como máximo. Sin ninguna, los correos van a los miembros que gestionan el equipo y los roles.',
  language: 'Idioma',
  languageText: 'En un idioma para el que aún no hay correos, se escriben en inglés.',
  withoutMails: '{language} (correos en inglés)',
  which: 'Correos',
  whichText: 'Lo que está desactivado no se envía.',
  about: {
    invoice_issued: 'Cuando se emite una factura, con su PDF.',
    receipt: 'Cuando un pago se ha realizado.',
    payment_failed: 'Cuando se rechaza un pago, con lo que ocurre después.',
    confirmation_needed: 'Cuando el banco pide que se confirme un pago.',
    card_expires: '30 días antes de que caduque la tarjeta predeterminada.',
  },
  saved: 'Los ajustes de los correos se han guardado',
  readOnly: 'Su rol solo permite ver los ajustes de los correos.',
};
