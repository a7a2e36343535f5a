import type { WebhookEndpoint } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat } from '../../format/format.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { NewSecret } from './endpoint-dialog.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

type Props = { owner: Owner; endpoint: WebhookEndpoint; onClose: () => void };

/** Gives an endpoint a new secret, which is shown once, and says until when the old one signs too. */
export function RotateSecret({ owner, endpoint: { id, url, previousSecretUntil }, onClose }: Props) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const format = useFormat();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ secret: string; previousSecretUntil: string | null } | null>(null);
  const { submit, isPending, message } = useSubmit(
    (_: undefined, options) => endpointsOf(owner).rotateSecret(id, options),
    {
      onDone: (endpoint) => {
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
        setMade(endpoint);
      },
    },
  );
  if (made !== null) {
    const until = made.previousSecretUntil === null ? undefined : format.instant(made.previousSecretUntil);
    return (
      <Dialog open onClose={onClose} title={t('rotate')} closeLabel={forms('close')}>
        <NewSecret
          secret={made.secret}
          description={until === undefined ? undefined : t('bothUntil', { until })}
          onDone={onClose}
        />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('rotate')}
      confirmLabel={t('rotate')}
      cancelLabel={forms('cancel')}
      closeLabel={forms('close')}
      pending={isPending}
      error={message}
      onConfirm={() => void submit(undefined)}
    >
      <p>
        <strong>{url}</strong>
      </p>
      <p>{t('rotateText')}</p>
      {previousSecretUntil === null ? null : <p>{t('rotateAgain', { until: format.instant(previousSecretUntil) })}</p>}
    </ConfirmDialog>
  );
}
