import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Zahlungseinsprüche',
  description:
    'Zahlungen, denen der Inhaber der Karte oder des Kontos widerspricht. Antworten Sie fristgerecht beim Gateway.',
  statuses: {
    NeedsResponse: 'Antwort nötig',
    UnderReview: 'In Prüfung',
    Won: 'Gewonnen',
    Lost: 'Verloren',
    Closed: 'Geschlossen',
  },
  withdrawn: 'Abgezogen',
  empty: {
    title: 'Keine Einsprüche',
    text: 'Ein Einspruch erscheint hier, sobald ein Gateway ihn meldet.',
  },
};
