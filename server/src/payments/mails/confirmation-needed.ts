import { formatAmount, formatDay, type MoneyMail } from '../../mail/money/money-mails.service.ts';
import type { MailLanguage, MailMessage, MailText } from '../../platform/feature/mail-declaration.ts';
import { nameSource, type PaymentFacts } from './payment-mails.texts.ts';

/** `expiresAt` is until when the payment waits. */
export type ConfirmationFacts = PaymentFacts & { expiresAt: string; timezone: string };

type Words = {
  subject: (number: string, seller: string) => string;
  asks: (number: string) => string;
  until: (day: string) => string;
  button: string;
  labels: Record<'number' | 'amount' | 'source', string>;
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    subject: (number, seller) => `Please confirm the payment of invoice ${number} from ${seller}`,
    asks: (number) =>
      `Your bank asks you to confirm the payment of your invoice ${number}. Nothing has been charged so far.`,
    until: (day) => `Please confirm it by ${day}. Afterwards the payment is canceled.`,
    button: 'Confirm the payment',
    labels: { number: 'Invoice', amount: 'Amount', source: 'Payment method' },
  },
  de: {
    subject: (number, seller) => `Bitte bestätigen Sie die Zahlung der Rechnung ${number} von ${seller}`,
    asks: (number) =>
      `Ihre Bank bittet Sie, die Zahlung Ihrer Rechnung ${number} zu bestätigen. Bisher wurde nichts abgebucht.`,
    until: (day) => `Bitte bestätigen Sie die Zahlung bis zum ${day}. Danach wird sie abgebrochen.`,
    button: 'Zahlung bestätigen',
    labels: { number: 'Rechnung', amount: 'Betrag', source: 'Zahlungsmethode' },
  },
  fr: {
    subject: (number, seller) => `Veuillez confirmer le paiement de la facture ${number} de ${seller}`,
    asks: (number) =>
      `Votre banque vous demande de confirmer le paiement de votre facture ${number}. Rien n’a été débité jusqu’ici.`,
    until: (day) => `Veuillez le confirmer au plus tard le ${day}. Ensuite, le paiement sera annulé.`,
    button: 'Confirmer le paiement',
    labels: { number: 'Facture', amount: 'Montant', source: 'Moyen de paiement' },
  },
  es: {
    subject: (number, seller) => `Confirme el pago de la factura ${number} de ${seller}`,
    asks: (number) =>
      `Su banco le pide que confirme el pago de su factura ${number}. Hasta ahora no se ha cobrado nada.`,
    until: (day) => `Confírmelo a más tardar el ${day}. Después se cancelará el pago.`,
    button: 'Confirmar el pago',
    labels: { number: 'Factura', amount: 'Importe', source: 'Método de pago' },
  },
};

function textIn(language: MailLanguage): MailText<ConfirmationFacts> {
  const { subject, asks, until, button, labels } = WORDS[language];
  const message = ({ about, amount, currency, source, expiresAt, timezone }: ConfirmationFacts): MailMessage => {
    const name = nameSource(source);
    return {
      paragraphs: [asks(about), until(formatDay(language, expiresAt, timezone))],
      rows: [
        [labels.number, about],
        ...(name === null ? [] : [[labels.source, name] as const]),
        [labels.amount, formatAmount(language, { amount, currency })],
      ],
      button,
      notes: [],
    };
  };
  return { subject, message };
}

/** The mail about a charge of the collection that the bank wants confirmed. */
export const CONFIRMATION_NEEDED = {
  type: 'confirmation_needed',
  texts: { en: textIn('en'), de: textIn('de'), fr: textIn('fr'), es: textIn('es') },
} satisfies MoneyMail;
