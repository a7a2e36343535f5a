import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Check, Clock, X } from 'lucide-react';
import { EventName } from '../../codes/event-name.tsx';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Timeline, type TimelineItem } from '../../ui/timeline/timeline.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { endpointsOf, type Owner, useMayChange } from './owner.ts';
import { useWebhooksText } from './text.ts';
import styles from './webhooks.module.css';

export const STATE_TONES = { pending: 'info', delivered: 'success', failed: 'danger' } as const;

const FAILURES = ['status_not_2xx', 'timeout', 'connection_failed', 'address_refused', 'secret_unreadable'] as const;

type Props = { owner: Owner; endpoint: WebhookEndpoint; delivery: WebhookDelivery; onBack: () => void };

/** A delivery with each of its attempts, and what comes next. */
export function DeliveryDetails({ owner, endpoint, delivery, onBack }: Props) {
  const t = useWebhooksText();
  const words = useListsText();
  const { eventId, type, state, createdAt } = delivery;
  const items = useAttempts(delivery);
  return (
    <>
      <div className={styles.bar}>
        <Button variant="quiet" size="small" icon={<ArrowLeft aria-hidden="true" />} onClick={onBack}>
          {t('allDeliveries')}
        </Button>
        <SendAgain {...{ owner, endpoint, delivery }} />
      </div>
      <Description
        items={[
          {
            term: words('words.type'),
            value: (
              <>
                <EventName type={type} /> <CopyButton text={eventId} label={t('copyId')} copiedLabel={t('copied')} />
              </>
            ),
          },
          { term: words('words.status'), value: <Badge tone={STATE_TONES[state]}>{t(`states.${state}`)}</Badge> },
          { term: words('words.created'), value: <Instant value={createdAt} /> },
        ]}
      />
      {items.length === 0 ? <p>{t('noAttempts')}</p> : <Timeline items={items} />}
    </>
  );
}

function useAttempts({ attempts, nextAttemptAt }: WebhookDelivery): TimelineItem[] {
  const t = useWebhooksText();
  const format = useFormat();
  const textOf = ({ failure, status }: WebhookAttempt) => {
    if (failure === null) return t('succeeded', { status: String(status) });
    const known = FAILURES.find((one) => one === failure);
    return known === undefined ? failure : t(`failures.${known}`, { status: String(status) });
  };
  const made = attempts.map((attempt): TimelineItem => {
    const { createdAt, try: number, durationMs, failure, response } = attempt;
    return {
      id: createdAt,
      tone: failure === null ? 'success' : 'danger',
      icon: failure === null ? <Check aria-hidden="true" /> : <X aria-hidden="true" />,
      title: textOf(attempt),
      time: (
        <>
          {t('attempt', { number: String(number) })} · <Instant value={createdAt} /> ·{' '}
          {t('took', { ms: format.number(durationMs) })}
        </>
      ),
      children: response === '' ? undefined : <pre className={styles.response}>{response}</pre>,
    };
  });
  if (nextAttemptAt === null) return made;
  const next: TimelineItem = {
    id: 'next',
    tone: 'info',
    icon: <Clock aria-hidden="true" />,
    title: t('next'),
    time: <Instant value={nextAttemptAt} />,
  };
  return [...made, next];
}

function SendAgain({ owner, endpoint, delivery }: Omit<Props, 'onBack'>) {
  const t = useWebhooksText();
  const toast = useToast();
  const queries = useQueryClient();
  const mayChange = useMayChange(owner);
  const { submit, isPending, message } = useSubmit(
    (_: undefined, options) => endpointsOf(owner).replay(endpoint.id, { eventId: delivery.eventId }, options),
    {
      onDone: () => {
        toast.add({ title: t('sentAgain') });
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner, endpoint.id] });
      },
    },
  );
  if (!mayChange) return null;
  const reason = endpoint.status === 'disabled' ? t('enableFirst') : delivery.type === null ? t('tooOld') : undefined;
  return (
    <>
      <Button size="small" pending={isPending} disabledReason={reason} onClick={() => void submit(undefined)}>
        {t('sendAgain')}
      </Button>
      {message === undefined ? null : <Banner tone="danger">{message}</Banner>}
    </>
  );
}
