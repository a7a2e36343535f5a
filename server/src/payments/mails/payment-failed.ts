import { formatAmount, formatDay, type MoneyMail } from '../../mail/money/money-mails.service.ts';
import type { MailLanguage, MailMessage, MailText } from '../../platform/feature/mail-declaration.ts';
import { isDebit, nameSource, type PaymentFacts } from './payment-mails.texts.ts';

/** What the collection does next: another attempt, one with another payment method alone, or nothing. */
export type NextStep = { kind: 'attempt'; at: string } | { kind: 'payment_method' | 'manual' | 'none' };

/** Without `next`, nobody knows yet. */
export type FailedFacts = PaymentFacts & { next?: NextStep; timezone: string };

type Words = {
  subject: (number: string, seller: string) => string;
  refused: (number: string) => string;
  debitFailed: (number: string) => string;
  next: Record<'payment_method' | 'manual' | 'none', string> & { attempt: (day: string) => string };
  advice: string;
  adviceOnDebit: string;
  button: string;
  labels: Record<'number' | 'amount' | 'source' | 'due', string>;
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    subject: (number, seller) => `The payment of invoice ${number} from ${seller} has failed`,
    refused: (number) => `The payment of your invoice ${number} was declined, so nothing was charged.`,
    debitFailed: (number) => `The direct debit for your invoice ${number} has failed, so the invoice is not paid.`,
    next: {
      attempt: (day) => `We will try again on ${day}.`,
      payment_method: 'We will not charge this payment method again. As soon as you add another one, we will try that.',
      manual: 'We will not try again by ourselves. Please pay the invoice.',
      none: 'We will not try again by ourselves. Please add another payment method in your account, or pay the invoice.',
    },
    advice: 'Your bank can tell you why it declined the payment.',
    adviceOnDebit: 'Your bank can tell you why the direct debit failed.',
    button: 'Pay the invoice',
    labels: { number: 'Invoice', amount: 'Amount', source: 'Payment method', due: 'Amount due' },
  },
  de: {
    subject: (number, seller) => `Die Zahlung der Rechnung ${number} von ${seller} ist fehlgeschlagen`,
    refused: (number) => `Die Zahlung Ihrer Rechnung ${number} wurde abgelehnt. Es wurde nichts abgebucht.`,
    debitFailed: (number) =>
      `Die Lastschrift zu Ihrer Rechnung ${number} ist fehlgeschlagen. Die Rechnung ist nicht bezahlt.`,
    next: {
      attempt: (day) => `Wir versuchen es am ${day} noch einmal.`,
      payment_method:
        'Diese Zahlungsmethode belasten wir nicht noch einmal. Sobald Sie eine andere hinzufügen, versuchen wir es mit ihr.',
      manual: 'Wir versuchen es nicht von selbst noch einmal. Bitte bezahlen Sie die Rechnung.',
      none:
        'Wir versuchen es nicht von selbst noch einmal. Bitte fügen Sie in Ihrem Konto eine andere Zahlungsmethode hinzu, oder ' +
        'bezahlen Sie die Rechnung.',
    },
    advice: 'Warum die Zahlung abgelehnt wurde, kann Ihnen Ihre Bank sagen.',
    adviceOnDebit: 'Warum die Lastschrift fehlgeschlagen ist, kann Ihnen Ihre Bank sagen.',
    button: 'Rechnung bezahlen',
    labels: { number: 'Rechnung', amount: 'Betrag', source: 'Zahlungsmethode', due: 'Offener Betrag' },
  },
  fr: {
    subject: (number, seller) => `Le paiement de la facture ${number} de ${seller} a échoué`,
    refused: (number) => `Le paiement de votre facture ${number} a été refusé. Rien n’a été débité.`,
    debitFailed: (number) => `Le prélèvement de votre facture ${number} a échoué. La facture n’est pas payée.`,
    next: {
      attempt: (day) => `Nous ferons une nouvelle tentative le ${day}.`,
      payment_method:
        'Nous n’utiliserons plus ce moyen de paiement. Dès que vous en ajouterez un autre, nous essaierons avec celui-ci.',
      manual: 'Nous ne ferons pas d’autre tentative. Veuillez payer la facture.',
      none: 'Nous ne ferons pas d’autre tentative. Veuillez ajouter un autre moyen de paiement dans votre compte, ou payer la facture.',
    },
    advice: 'Votre banque peut vous dire pourquoi elle a refusé le paiement.',
    adviceOnDebit: 'Votre banque peut vous dire pourquoi le prélèvement a échoué.',
    button: 'Payer la facture',
    labels: { number: 'Facture', amount: 'Montant', source: 'Moyen de paiement', due: 'Montant dû' },
  },
  es: {
    subject: (number, seller) => `El pago de la factura ${number} de ${seller} ha fallado`,
    refused: (number) => `El pago de su factura ${number} ha sido rechazado. No se ha cobrado nada.`,
    debitFailed: (number) => `El adeudo directo de su factura ${number} ha fallado. La factura no está pagada.`,
    next: {
      attempt: (day) => `Volveremos a intentarlo el ${day}.`,
      payment_method: 'No volveremos a usar este método de pago. En cuanto añada otro, lo intentaremos con él.',
      manual: 'No volveremos a intentarlo. Pague la factura.',
      none: 'No volveremos a intentarlo. Añada otro método de pago en su cuenta o pague la factura.',
    },
    advice: 'Su banco puede decirle por qué ha rechazado el pago.',
    adviceOnDebit: 'Su banco puede decirle por qué ha fallado el adeudo.',
    button: 'Pagar la factura',
    labels: { number: 'Factura', amount: 'Importe', source: 'Método de pago', due: 'Importe pendiente' },
  },
};

function textIn(language: MailLanguage): MailText<FailedFacts> {
  const { subject, refused, debitFailed, next: steps, advice, adviceOnDebit, button, labels } = WORDS[language];
  const tell = (next: NextStep, timezone: string): string =>
    next.kind === 'attempt' ? steps.attempt(formatDay(language, next.at, timezone)) : steps[next.kind];
  const message = ({ about, amount, due, currency, source, next, timezone }: FailedFacts): MailMessage => {
    const name = nameSource(source);
    return {
      paragraphs: [
        isDebit(source) ? debitFailed(about) : refused(about),
        ...(next === undefined ? [] : [tell(next, timezone)]),
      ],
      rows: [
        [labels.number, about],
        ...(name === null ? [] : [[labels.source, name] as const]),
        [labels.amount, formatAmount(language, { amount, currency })],
        [labels.due, formatAmount(language, { amount: due, currency })],
      ],
      button,
      notes: [isDebit(source) ? adviceOnDebit : advice],
    };
  };
  return { subject, message };
}

/** The mail about a payment that was declined, with what happens next. */
export const PAYMENT_FAILED = {
  type: 'payment_failed',
  texts: { en: textIn('en'), de: textIn('de'), fr: textIn('fr'), es: textIn('es') },
} satisfies MoneyMail;
