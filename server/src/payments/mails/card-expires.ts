import { formatMonth, type MoneyMail } from '../../mail/money/money-mails.service.ts';
import type { MailFacts, MailLanguage, MailMessage, MailText } from '../../platform/feature/mail-declaration.ts';
import { nameCard } from './payment-mails.texts.ts';

/** `about` is the end of the card's number, and `month` counts from 1. */
export type ExpiryFacts = MailFacts & { brand: string; year: number; month: number };

type Words = {
  subject: (lastFour: string, seller: string) => string;
  expires: (card: string, month: string, seller: string) => string;
  ask: string;
  labels: { card: string; month: string };
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    subject: (lastFour, seller) => `Your card ending in ${lastFour} for ${seller} expires soon`,
    expires: (card, month, seller) => `The card ${card}, with which you pay ${seller}, expires at the end of ${month}.`,
    ask: 'Please add another card in your account, or change the expiry date if your bank has renewed the card.',
    labels: { card: 'Card', month: 'Valid through' },
  },
  de: {
    subject: (lastFour, seller) => `Ihre Karte mit der Endung ${lastFour} für ${seller} läuft bald ab`,
    expires: (card, month, seller) => `Die Karte ${card}, mit der Sie ${seller} bezahlen, läuft Ende ${month} ab.`,
    ask:
      'Bitte fügen Sie in Ihrem Konto eine andere Karte hinzu, oder ändern Sie das Ablaufdatum, wenn Ihre Bank die Karte ' +
      'verlängert hat.',
    labels: { card: 'Karte', month: 'Gültig bis' },
  },
  fr: {
    subject: (lastFour, seller) => `Votre carte se terminant par ${lastFour} pour ${seller} expire bientôt`,
    expires: (card, month, seller) => `La carte ${card}, avec laquelle vous payez ${seller}, expire fin ${month}.`,
    ask:
      'Veuillez ajouter une autre carte dans votre compte, ou modifier la date d’expiration si votre banque a renouvelé la ' +
      'carte.',
    labels: { card: 'Carte', month: 'Valable jusqu’à' },
  },
  es: {
    subject: (lastFour, seller) => `Su tarjeta terminada en ${lastFour} para ${seller} caduca pronto`,
    expires: (card, month, seller) => `La tarjeta ${card}, con la que paga a ${seller}, caduca a finales de ${month}.`,
    ask: 'Añada otra tarjeta en su cuenta, o cambie la fecha de caducidad si su banco ha renovado la tarjeta.',
    labels: { card: 'Tarjeta', month: 'Válida hasta' },
  },
};

function textIn(language: MailLanguage): MailText<ExpiryFacts> {
  const { subject, expires, ask, labels } = WORDS[language];
  const message = ({ about, brand, year, month }: ExpiryFacts, seller: string): MailMessage => {
    const [card, lastMonth] = [nameCard({ brand, lastFour: about }), formatMonth(language, { year, month })];
    return {
      paragraphs: [expires(card, lastMonth, seller), ask],
      rows: [
        [labels.card, card],
        [labels.month, lastMonth],
      ],
      notes: [],
    };
  };
  return { subject, message };
}

/** The mail about a card that expires soon. */
export const CARD_EXPIRES = {
  type: 'card_expires',
  texts: { en: textIn('en'), de: textIn('de'), fr: textIn('fr'), es: textIn('es') },
} satisfies MoneyMail;
