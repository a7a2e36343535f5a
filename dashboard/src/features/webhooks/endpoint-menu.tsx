import type { WebhookEndpoint } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { useWebhooksText } from './text.ts';

type Props = { endpoint: WebhookEndpoint };

/** What can be done with an endpoint. */
export function EndpointMenu({ endpoint: { id, url, status } }: Props) {
  const t = useWebhooksText();
  const toast = useToast();
  const queries = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const endpoints = () => paydesk().webhookEndpoints;
  const reload = (title: string) => {
    toast.add({ title });
    void queries.invalidateQueries({ queryKey: ['company-webhooks'] });
  };
  const onFailure = ({ message }: { message?: string }) => void toast.add({ title: message ?? '', tone: 'danger' });
  const testing = useSubmit((_: undefined, options) => endpoints().test(id, options), {
    onDone: () => reload(t('tested')),
    onFailure,
  });
  const changing = useSubmit(
    (next: 'enabled' | 'disabled', options) => endpoints().update(id, { status: next }, options),
    { onDone: () => reload(t('changed')), onFailure },
  );
  return (
    <>
      <Menu
        trigger={<IconButton label={`${t('actions')}: ${url}`} icon={<Ellipsis aria-hidden="true" />} />}
        items={[
          { label: t('test'), onSelect: () => void testing.submit(undefined) },
          { label: t('deliveries'), onSelect: () => setIsReading(true) },
          status === 'disabled'
            ? { label: t('enable'), onSelect: () => void changing.submit('enabled') }
            : { label: t('disable'), onSelect: () => void changing.submit('disabled') },
          'separator',
          { label: t('delete'), tone: 'danger', onSelect: () => setIsDeleting(true) },
        ]}
      />
      {isReading ? <Deliveries endpointId={id} onClose={() => setIsReading(false)} /> : null}
      <DeleteEndpoint endpoint={{ id, url }} open={isDeleting} onClose={() => setIsDeleting(false)} />
    </>
  );
}

type DeleteProps = { endpoint: Pick<WebhookEndpoint, 'id' | 'url'>; open: boolean; onClose: () => void };

function DeleteEndpoint({ endpoint: { id, url }, open, onClose }: DeleteProps) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const queries = useQueryClient();
  const { submit, isPending, message } = useSubmit(
    (_: undefined, options) => paydesk().webhookEndpoints.delete(id, options),
    {
      onDone: () => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['company-webhooks'] });
      },
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={t('delete')}
      confirmLabel={t('delete')}
      cancelLabel={forms('cancel')}
      closeLabel={forms('close')}
      tone="danger"
      pending={isPending}
      error={message}
      typeToConfirm={{ label: t('typeUrl'), text: url }}
      onConfirm={() => void submit(undefined)}
    >
      <p>
        <strong>{url}</strong>
      </p>
      <p>{t('deleteText')}</p>
    </ConfirmDialog>
  );
}
