import { formatAmount, formatDay, type MoneyMail } from '../../mail/money/money-mails.service.ts';
import type { MailLanguage, MailMessage, MailText } from '../../platform/feature/mail-declaration.ts';
import { amountRow, isZero, nameSource, type PaymentFacts } from './payment-mails.texts.ts';

/** `overpaid` is what was taken beyond what was due: it is credit now. */
export type ReceiptFacts = PaymentFacts & { overpaid: string; paidAt: string };

type Words = {
  subject: (number: string, seller: string) => string;
  thanks: (seller: string) => string;
  isPaid: (number: string) => string;
  isDue: (number: string, due: string) => string;
  labels: Record<'number' | 'paidOn' | 'amount' | 'credit' | 'overpaid' | 'source' | 'due', string>;
  button: { read: string; pay: string };
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    subject: (number, seller) => `Receipt for invoice ${number} from ${seller}`,
    thanks: (seller) => `${seller} has received your payment. Thank you.`,
    isPaid: (number) => `Invoice ${number} is paid in full.`,
    isDue: (number, due) => `${due} of invoice ${number} is still due.`,
    labels: {
      ...{ number: 'Invoice', paidOn: 'Paid on', amount: 'Amount paid', credit: 'Paid from your credit' },
      ...{ overpaid: 'Added to your credit', source: 'Payment method', due: 'Still due' },
    },
    button: { read: 'View the invoice', pay: 'Pay the rest' },
  },
  de: {
    subject: (number, seller) => `Zahlungsbeleg zur Rechnung ${number} von ${seller}`,
    thanks: (seller) => `${seller} hat Ihre Zahlung erhalten. Vielen Dank.`,
    isPaid: (number) => `Die Rechnung ${number} ist vollständig bezahlt.`,
    isDue: (number, due) => `Von der Rechnung ${number} sind noch ${due} offen.`,
    labels: {
      ...{ number: 'Rechnung', paidOn: 'Bezahlt am', amount: 'Bezahlter Betrag', credit: 'Aus Ihrem Guthaben bezahlt' },
      ...{ overpaid: 'Ihrem Guthaben gutgeschrieben', source: 'Zahlungsmethode', due: 'Noch offen' },
    },
    button: { read: 'Rechnung ansehen', pay: 'Rest bezahlen' },
  },
  fr: {
    subject: (number, seller) => `Reçu de la facture ${number} de ${seller}`,
    thanks: (seller) => `${seller} a reçu votre paiement. Merci.`,
    isPaid: (number) => `La facture ${number} est entièrement payée.`,
    isDue: (number, due) => `Il reste ${due} à payer sur la facture ${number}.`,
    labels: {
      ...{ number: 'Facture', paidOn: 'Payée le', amount: 'Montant payé', credit: 'Payé avec votre avoir' },
      ...{ overpaid: 'Ajouté à votre avoir', source: 'Moyen de paiement', due: 'Reste à payer' },
    },
    button: { read: 'Voir la facture', pay: 'Payer le reste' },
  },
  es: {
    subject: (number, seller) => `Recibo de la factura ${number} de ${seller}`,
    thanks: (seller) => `${seller} ha recibido su pago. Gracias.`,
    isPaid: (number) => `La factura ${number} está pagada por completo.`,
    isDue: (number, due) => `Quedan ${due} por pagar de la factura ${number}.`,
    labels: {
      ...{ number: 'Factura', paidOn: 'Pagada el', amount: 'Importe pagado', credit: 'Pagado con su saldo' },
      ...{ overpaid: 'Añadido a su saldo', source: 'Método de pago', due: 'Pendiente de pago' },
    },
    button: { read: 'Ver la factura', pay: 'Pagar el resto' },
  },
};

function textIn(language: MailLanguage): MailText<ReceiptFacts> {
  const { subject, thanks, isPaid, isDue, labels, button } = WORDS[language];
  const message = (facts: ReceiptFacts, seller: string): MailMessage => {
    const { about, amount, credit, overpaid, due, currency, source, paidAt } = facts;
    const name = nameSource(source);
    const rest = formatAmount(language, { amount: due, currency });
    return {
      paragraphs: [thanks(seller), isZero(due) ? isPaid(about) : isDue(about, rest)],
      rows: [
        [labels.number, about],
        [labels.paidOn, formatDay(language, paidAt)],
        ...(name === null ? [] : [[labels.source, name] as const]),
        ...amountRow(language, labels.amount, { amount, currency }),
        ...amountRow(language, labels.credit, { amount: credit, currency }),
        ...amountRow(language, labels.overpaid, { amount: overpaid, currency }),
        [labels.due, rest],
      ],
      button: isZero(due) ? button.read : button.pay,
      notes: [],
    };
  };
  return { subject, message };
}

/** The mail about a payment that succeeded, with what is still due. */
export const RECEIPT = {
  type: 'receipt',
  texts: { en: textIn('en'), de: textIn('de'), fr: textIn('fr'), es: textIn('es') },
} satisfies MoneyMail;
