import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Abgleich',
  description:
    'Das Hauptbuch neben den Büchern des Gateways. Jede Abweichung ist Geld, das eines von beiden nicht kennt.',
  compared: '{count, plural, one {# Eintrag verglichen} other {# Einträge verglichen}}',
  agree: 'Beide Bücher stimmen überein',
  others:
    '{count, plural, one {# Eintrag gehört einer anderen Installation mit demselben Konto.} other {# Einträge gehören anderen Installationen mit demselben Konto.}}',
  difference: 'Abweichung',
  here: 'Hier',
  there: 'Beim Gateway',
  record: 'Eintrag',
  kinds: {
    missing_here: 'Fehlt hier',
    missing_there: 'Fehlt beim Gateway',
    amount: 'Anderer Betrag',
    state: 'Anderer Zustand',
  },
  entries: {
    payment: 'Zahlung',
    refund: 'Erstattung',
    dispute: 'Einspruch',
    fee: 'Gebühr',
    payout: 'Auszahlung',
  },
  stopped: 'Der Vergleich ist stehen geblieben',
  comparing: 'Der Vergleich läuft',
  differences: '{count, plural, one {# Abweichung} other {# Abweichungen}}',
};
