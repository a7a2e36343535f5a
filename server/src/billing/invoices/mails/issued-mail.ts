import { formatAmount, formatDay, formatPeriod, type MoneyMail } from '../../../mail/money/money-mails.service.ts';
import type { MailFacts, MailLanguage, MailMessage, MailText } from '../../../platform/feature/mail-declaration.ts';

/** What the mail about a new invoice tells; `about` is its number. Amounts are in major units. */
export type IssuedFacts = MailFacts & {
  total: string;
  due: string;
  currency: string;
  dueAt: string;
  startAt: string;
  endAt: string;
  timezone: string;
};

type Words = {
  subject: (number: string, seller: string) => string;
  attached: (number: string) => string;
  labels: { number: string; period: string; total: string; due: string; dueOn: string };
  isPaid: string;
  button: { read: string; pay: string };
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    subject: (number, seller) => `Invoice ${number} from ${seller}`,
    attached: (number) => `Your invoice ${number} is attached to this e-mail as a PDF.`,
    labels: { number: 'Invoice', period: 'Billing period', total: 'Total', due: 'Amount due', dueOn: 'Due on' },
    isPaid: 'You need not pay anything.',
    button: { read: 'View the invoice', pay: 'View and pay the invoice' },
  },
  de: {
    subject: (number, seller) => `Rechnung ${number} von ${seller}`,
    attached: (number) => `Ihre Rechnung ${number} ist dieser E-Mail als PDF beigefügt.`,
    labels: {
      ...{ number: 'Rechnung', period: 'Abrechnungszeitraum', total: 'Gesamtbetrag', due: 'Offener Betrag' },
      dueOn: 'Fällig am',
    },
    isPaid: 'Sie müssen nichts bezahlen.',
    button: { read: 'Rechnung ansehen', pay: 'Rechnung ansehen und bezahlen' },
  },
  fr: {
    subject: (number, seller) => `Facture ${number} de ${seller}`,
    attached: (number) => `Votre facture ${number} est jointe à cet e-mail au format PDF.`,
    labels: {
      ...{ number: 'Facture', period: 'Période de facturation', total: 'Total', due: 'Montant dû' },
      dueOn: 'Date d’échéance',
    },
    isPaid: 'Vous n’avez rien à payer.',
    button: { read: 'Voir la facture', pay: 'Voir et payer la facture' },
  },
  es: {
    subject: (number, seller) => `Factura ${number} de ${seller}`,
    attached: (number) => `Su factura ${number} se adjunta a este correo en formato PDF.`,
    labels: {
      ...{ number: 'Factura', period: 'Periodo de facturación', total: 'Total', due: 'Importe pendiente' },
      dueOn: 'Fecha de vencimiento',
    },
    isPaid: 'No tiene que pagar nada.',
    button: { read: 'Ver la factura', pay: 'Ver y pagar la factura' },
  },
};

function textIn(language: MailLanguage): MailText<IssuedFacts> {
  const { subject, attached, labels, isPaid, button } = WORDS[language];
  const message = ({ about, total, due, currency, dueAt, ...period }: IssuedFacts): MailMessage => {
    const owes = !/^0*\.?0*$/.test(due);
    return {
      paragraphs: [attached(about), ...(owes ? [] : [isPaid])],
      rows: [
        [labels.number, about],
        [labels.period, formatPeriod(language, period)],
        [labels.total, formatAmount(language, { amount: total, currency })],
        [labels.due, formatAmount(language, { amount: due, currency })],
        ...(owes ? [[labels.dueOn, formatDay(language, dueAt, period.timezone)] as const] : []),
      ],
      button: owes ? button.pay : button.read,
      notes: [],
    };
  };
  return { subject, message };
}

/** The mail about a new invoice, with its PDF. */
export const ISSUED_MAIL = {
  type: 'invoice_issued',
  texts: { en: textIn('en'), de: textIn('de'), fr: textIn('fr'), es: textIn('es') },
  files: [{ name: '{about}.pdf', contentType: 'application/pdf' }],
} satisfies MoneyMail;
