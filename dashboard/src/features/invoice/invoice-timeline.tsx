import type { CreditNote, Dispute, InvoiceWithAttempts, PaymentAttempt, PaymentRefund } from '@paydesk/client';
import { Ban, CalendarClock, Check, CircleHelp, FileMinus, FileText, Hourglass, Scale, Undo2, X } from 'lucide-react';
import { isPositive } from '../../format/amount.ts';
import { cardName } from '../../format/card.ts';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { Timeline, type TimelineItem } from '../../ui/timeline/timeline.tsx';
import { declineOf } from '../pay/declines.ts';
import { isDebit } from '../pay/outcome.ts';
import { usePayText } from '../pay/text.ts';
import { dueOf } from './amounts.ts';
import { eventsOf, type InvoiceEvent, type NextKind } from './events.ts';
import { useInvoiceText } from './text.ts';

type Words = Omit<TimelineItem, 'id' | 'time'>;

/** The story of an invoice in plain words: what comes next, then what has happened, the newest first. */
export function InvoiceTimeline({
  invoice,
  creditNotes,
}: {
  invoice: InvoiceWithAttempts;
  creditNotes: readonly CreditNote[];
}) {
  const t = useInvoiceText();
  const wordsOf = useWords(invoice);
  const { future, past } = eventsOf(invoice, creditNotes, Date.now());
  const items = [
    ...future.map((event, index) => ({
      id: `future-${index}`,
      ...wordsOf(event),
      tone: 'neutral' as const,
      time: event.at === null ? t('timeline.toCome') : <Planned at={event.at} />,
    })),
    ...past.map((event, index) => ({
      id: `past-${past.length - index}`,
      ...wordsOf(event),
      time: event.at === null ? null : <Instant value={event.at} />,
    })),
  ];
  return <Timeline items={items} />;
}

function Planned({ at }: { at: string }) {
  const t = useInvoiceText();
  if (Date.parse(at) <= Date.now()) return <>{t('timeline.soon')}</>;
  return (
    <>
      {t('timeline.toCome')} · <Instant value={at} /> (<Instant value={at} as="daysFromNow" />)
    </>
  );
}

function useWords(invoice: InvoiceWithAttempts): (event: InvoiceEvent) => Words {
  const t = useInvoiceText();
  const format = useFormat();
  const attemptWords = useAttemptWords();
  const disputeWords = useDisputeWords();
  const refundWords = useRefundWords();
  const amount = format.money(dueOf(invoice), invoice.currency);
  const next: Record<NextKind, Words> = {
    scheduled: { tone: 'neutral', icon: <CalendarClock />, title: t('timeline.scheduled', { amount }) },
    retry: { tone: 'neutral', icon: <CalendarClock />, title: t('timeline.retry', { amount }) },
    waitsForCard: {
      tone: 'neutral',
      icon: <Hourglass />,
      title: t('timeline.waitsForCard', { amount }),
      children: t('timeline.waitsForCardText'),
    },
    exhausted: {
      tone: 'neutral',
      icon: <Hourglass />,
      title: t('timeline.exhausted'),
      children: t('timeline.exhaustedText'),
    },
    manual: { tone: 'neutral', icon: <CircleHelp />, title: t('timeline.manual') },
  };
  return (event) => {
    switch (event.kind) {
      case 'issued':
        return {
          tone: 'neutral',
          icon: <FileText />,
          title: t('timeline.issued', { amount: format.money(invoice.total, invoice.currency) }),
        };
      case 'due':
        return { tone: 'neutral', icon: <CalendarClock />, title: t('timeline.due', { amount }) };
      case 'overdue':
        return { tone: 'warning', icon: <CalendarClock />, title: t('timeline.overdue') };
      case 'voided':
        return { tone: 'neutral', icon: <Ban />, title: t('timeline.voided'), children: t('timeline.voidedText') };
      case 'attempt':
        return attemptWords(event.attempt);
      case 'dispute':
        return disputeWords(event.dispute);
      case 'refund':
        return refundWords(event.refund);
      case 'next':
        return next[event.next];
      case 'creditNote': {
        const { number, total, currency, reason, afterPayment } = event.creditNote;
        return {
          tone: 'info',
          icon: <FileMinus />,
          title: t(afterPayment ? 'timeline.creditedAfter' : 'timeline.credited', {
            number,
            amount: format.money(total, currency),
          }),
          children: reason,
        };
      }
    }
  };
}

/** One try to charge: with what, what the bank said, and what helps. */
function useAttemptWords(): (attempt: PaymentAttempt) => Words {
  const t = useInvoiceText();
  const pay = usePayText();
  const format = useFormat();
  return ({ status, amount, creditAmount, currency, card, paypalAccount, initiator, failureReason, declineCode }) => {
    const money = format.money(amount, currency);
    const credit = isPositive(creditAmount) ? format.money(creditAmount, currency) : null;
    const method = card === null ? (paypalAccount?.email ?? null) : cardName(card);
    const by = t(initiator === 'manual' ? 'timeline.byHand' : 'timeline.byItself');
    if (status === 'Succeeded') {
      const title =
        method === null || !isPositive(amount)
          ? t(credit === null ? 'timeline.paidNothing' : 'timeline.paidCredit', { credit: credit ?? money })
          : t('timeline.paid', { amount: money, method });
      const withCredit = method !== null && isPositive(amount) && credit !== null;
      return {
        tone: 'success',
        icon: <Check />,
        title,
        children: withCredit ? `${t('timeline.andCredit', { credit })} ${by}` : by,
      };
    }
    if (status === 'RequiresAction')
      return { tone: 'warning', icon: <Hourglass />, title: t('timeline.confirm', { amount: money }), children: by };
    if (status === 'Processing' && isDebit({ card }))
      return { tone: 'info', icon: <Hourglass />, title: t('timeline.debit', { amount: money }), children: by };
    if (status === 'Processing')
      return { tone: 'info', icon: <Hourglass />, title: t('timeline.findingOut', { amount: money }), children: by };
    if (status === 'NeedsReview')
      return { tone: 'warning', icon: <CircleHelp />, title: t('timeline.review', { amount: money }), children: by };
    const name = method ?? t('timeline.theCard');
    if (declineCode === null)
      return {
        tone: 'neutral',
        icon: <X />,
        title: t('timeline.notCharged', { amount: money, method: name }),
        children: `${t(`timeline.failures.${failureReason ?? 'canceled'}`)} ${by}`,
      };
    const { reason, next } = declineOf(declineCode);
    return {
      tone: 'danger',
      icon: <X />,
      title: t('timeline.declined', { amount: money, method: name }),
      children: `${pay(`reasons.${reason}`)} ${pay(`next.${next}`)} ${by}`,
    };
  };
}

function useDisputeWords(): (dispute: Dispute) => Words {
  const t = useInvoiceText();
  const format = useFormat();
  return ({ amount, currency, status }) => ({
    tone: status === 'Won' || status === 'Closed' ? 'success' : 'warning',
    icon: <Scale />,
    title: t('timeline.disputed', { amount: format.money(amount, currency) }),
    children: t(`timeline.disputes.${status}`),
  });
}

const REFUND_TONES = { Succeeded: 'info', Processing: 'info', Failed: 'danger', NeedsReview: 'warning' } as const;

function useRefundWords(): (refund: PaymentRefund) => Words {
  const t = useInvoiceText();
  const format = useFormat();
  return ({ amount, creditAmount, currency, status }) => ({
    tone: REFUND_TONES[status],
    icon: <Undo2 />,
    title: t(`timeline.refunds.${status}`, { amount: format.money(amount, currency) }),
    children: isPositive(creditAmount)
      ? t('timeline.refundedAsCredit', { credit: format.money(creditAmount, currency) })
      : null,
  });
}
