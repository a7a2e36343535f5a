import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Hauptbuch',
  description: 'Jede Buchung, die älteste zuerst. Soll ist positiv.',
  kind: 'Vorgang',
  accounts: {
    receivable: 'Forderungen',
    revenue: 'Umsatz',
    tax: 'Steuern',
    credit: 'Guthaben',
    goodwill: 'Kulanz',
    refunds_due: 'Fällige Erstattungen',
    disputed: 'Strittig',
    dispute_losses: 'Verluste aus Streitfällen',
    unallocated: 'Nicht zugeordnet',
    cash: 'Geld bei {gateway}',
  },
  kinds: {
    invoice_issued: 'Rechnung ausgestellt',
    invoice_voided: 'Rechnung storniert',
    credit_granted: 'Guthaben gewährt',
    credit_corrected: 'Guthaben berichtigt',
    credit_carried_over: 'Guthaben übertragen',
    credit_consumed: 'Guthaben verbraucht',
    credit_returned: 'Guthaben zurückgegeben',
    payment_captured: 'Zahlung eingezogen',
    credit_note_issued: 'Gutschrift ausgestellt',
    refund_sent: 'Erstattung gesendet',
    dispute_withdrawn: 'Einspruch: Geld abgezogen',
    dispute_reinstated: 'Einspruch: Geld zurück',
    dispute_lost: 'Einspruch verloren',
    dispute_recovered: 'Einspruch ausgeglichen',
  },
  empty: {
    title: 'Keine Buchungen',
    text: 'Die erste Rechnung bucht ins Hauptbuch.',
  },
};
