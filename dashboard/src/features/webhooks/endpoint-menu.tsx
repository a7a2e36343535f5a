import type { WebhookEndpoint } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useHistoryItem } from '../audit-log/history.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { endpointsOf, type Owner, useMayChange } from './owner.ts';
import { ReplayEvents } from './replay-events.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { useWebhooksText } from './text.ts';
import { useEndpointActions } from './use-endpoint-actions.ts';

type Props = { owner: Owner; endpoint: WebhookEndpoint };
type Opened = 'edit' | 'deliveries' | 'replay' | 'rotate' | 'disable' | 'delete' | null;

/** What can be done with an endpoint. */
export function EndpointMenu({ owner, endpoint }: Props) {
  const t = useWebhooksText();
  const mayChange = useMayChange(owner);
  const { test, enable } = useEndpointActions(owner, endpoint.id);
  const [opened, setOpened] = useState<Opened>(null);
  const history = useHistoryItem({ ids: [endpoint.id], name: endpoint.url });
  const isDisabled = endpoint.status === 'disabled';
  const disabledReason = isDisabled ? t('enableFirst') : undefined;
  const deliveries = { label: t('deliveries'), onSelect: () => setOpened('deliveries') };
  return (
    <>
      <Menu
        trigger={<IconButton label={`${t('actions')}: ${endpoint.url}`} icon={<Ellipsis aria-hidden="true" />} />}
        items={
          mayChange
            ? [
                { label: t('test'), onSelect: test, disabledReason },
                deliveries,
                { label: t('replay'), onSelect: () => setOpened('replay'), disabledReason },
                'separator',
                { label: t('edit'), onSelect: () => setOpened('edit') },
                { label: t('rotate'), onSelect: () => setOpened('rotate') },
                ...history.items,
                isDisabled
                  ? { label: t('enable'), onSelect: enable }
                  : { label: t('disable'), onSelect: () => setOpened('disable') },
                'separator',
                { label: t('delete'), tone: 'danger', onSelect: () => setOpened('delete') },
              ]
            : [deliveries, ...history.items]
        }
      />
      {history.panel}
      <Opened {...{ owner, endpoint, opened }} onClose={() => setOpened(null)} />
    </>
  );
}

function Opened({ owner, endpoint, opened, onClose }: Props & { opened: Opened; onClose: () => void }) {
  const t = useWebhooksText();
  const props = { owner, endpoint, onClose };
  if (opened === 'edit') return <EndpointDialog {...props} />;
  if (opened === 'deliveries') return <Deliveries {...props} />;
  if (opened === 'replay') return <ReplayEvents {...props} />;
  if (opened === 'rotate') return <RotateSecret {...props} />;
  if (opened === 'disable') return <DisableEndpoint {...props} />;
  return (
    <DeleteDialog
      open={opened === 'delete'}
      onClose={onClose}
      title={t('delete')}
      typeToConfirm={{ label: t('typeUrl'), text: endpoint.url }}
      remove={(options) => endpointsOf(owner).delete(endpoint.id, options)}
      queryKey={['webhook-endpoints', owner]}
    >
      <p>
        <strong>{endpoint.url}</strong>
      </p>
      <p>{t('deleteText')}</p>
    </DeleteDialog>
  );
}

function DisableEndpoint({ owner, endpoint: { id, url }, onClose }: Props & { onClose: () => void }) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const queries = useQueryClient();
  const { submit, isPending, message } = useSubmit(
    (_: undefined, options) => endpointsOf(owner).update(id, { status: 'disabled' }, options),
    {
      onDone: () => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
      },
    },
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('disable')}
      confirmLabel={t('disable')}
      cancelLabel={forms('cancel')}
      closeLabel={forms('close')}
      pending={isPending}
      error={message}
      onConfirm={() => void submit(undefined)}
    >
      <p>
        <strong>{url}</strong>
      </p>
      <p>{t('disableText')}</p>
    </ConfirmDialog>
  );
}
