import type { WebhookEndpoint, WebhookReplay } from '@paydesk/client';
import { useState } from 'react';
import { useFormat } from '../../format/format.ts';
import { instantOf, wallTimeOf } from '../../format/wall-time.ts';
import { useFormsText } from '../../forms/text.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { useTimeZone } from '../../i18n/language.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

const DAY_MS = 86_400_000;

type Props = { owner: Owner; endpoint: WebhookEndpoint; onClose: () => void };

/** Sends the events of a time range to an endpoint again. A range with very many goes in several parts, the oldest first. */
export function ReplayEvents({ owner, endpoint: { id, url }, onClose }: Props) {
  const t = useWebhooksText();
  const words = useListsText();
  const forms = useFormsText();
  const format = useFormat();
  const zone = useTimeZone();
  const [[from, to], setRange] = useState(() => {
    const now = Date.now();
    return [wallTimeOf(new Date(now - DAY_MS), zone), wallTimeOf(new Date(now), zone)];
  });
  const [outcome, setOutcome] = useState<WebhookReplay | null>(null);
  const { submit, isPending, errors, message } = useSubmit(
    async (_: undefined, options) => {
      if (from >= to) throw new FormError(t('replayOrder'));
      const startAt = outcome?.continueAt ?? instantOf(from, zone).toISOString();
      return endpointsOf(owner).replay(id, { startAt, endAt: instantOf(to, zone).toISOString() }, options);
    },
    { onDone: setOutcome },
  );
  const change = (range: [string, string]) => {
    setRange(range);
    setOutcome(null);
  };
  const isOver = outcome !== null && outcome.continueAt === null;
  return (
    <Dialog open onClose={onClose} title={t('replay')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={() => void submit(undefined)}
        actions={
          isOver ? (
            <Button onClick={onClose}>{t('done')}</Button>
          ) : (
            <Button type="submit" variant="primary" pending={isPending}>
              {t('replay')}
            </Button>
          )
        }
      >
        <p>
          <strong>{url}</strong>
        </p>
        <p>{t('replayText')}</p>
        <FieldRow>
          <TextField
            label={words('words.from')}
            type="datetime-local"
            required
            value={from}
            onChange={(value) => change([value, to])}
          />
          <TextField
            label={words('words.to')}
            type="datetime-local"
            required
            value={to}
            onChange={(value) => change([from, value])}
          />
        </FieldRow>
        <div role="status">
          {outcome === null ? null : (
            <Banner tone={isOver ? 'success' : 'info'} title={t('replayed', { count: outcome.scheduled })}>
              {outcome.continueAt === null ? undefined : t('replayRest', { at: format.instant(outcome.continueAt) })}
            </Banner>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
