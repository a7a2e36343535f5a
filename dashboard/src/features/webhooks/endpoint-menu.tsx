import type { WebhookEndpoint } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

type Props = { owner: Owner; endpoint: WebhookEndpoint };

/** What can be done with an endpoint. */
export function EndpointMenu({ owner, endpoint: { id, url, status } }: Props) {
  const t = useWebhooksText();
  const toast = useToast();
  const queries = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const queryKey = ['webhook-endpoints', owner];
  const reload = (title: string) => {
    toast.add({ title });
    void queries.invalidateQueries({ queryKey });
  };
  const onFailure = ({ message }: { message?: string }) => void toast.add({ title: message ?? '', tone: 'danger' });
  const testing = useSubmit((_: undefined, options) => endpointsOf(owner).test(id, options), {
    onDone: () => reload(t('tested')),
    onFailure,
  });
  const changing = useSubmit(
    (next: 'enabled' | 'disabled', options) => endpointsOf(owner).update(id, { status: next }, options),
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
      {isReading ? <Deliveries owner={owner} endpointId={id} onClose={() => setIsReading(false)} /> : null}
      <DeleteDialog
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={t('delete')}
        typeToConfirm={{ label: t('typeUrl'), text: url }}
        remove={(options) => endpointsOf(owner).delete(id, options)}
        queryKey={queryKey}
      >
        <p>
          <strong>{url}</strong>
        </p>
        <p>{t('deleteText')}</p>
      </DeleteDialog>
    </>
  );
}
