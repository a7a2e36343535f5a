import type { WebhookDelivery, WebhookEndpoint } from '@paydesk/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EventName } from '../../codes/event-name.tsx';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select/filter-select.tsx';
import { TableSkeleton } from '../../ui/skeleton/table-skeleton.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { DeliveryDetails, STATE_TONES } from './delivery-details.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

const INTERVAL_MS = 2_000;

type State = WebhookDelivery['state'];
type Props = { owner: Owner; endpoint: WebhookEndpoint; onClose: () => void };

/** The deliveries of an endpoint, newest first, and one of them with its attempts. It follows them while it is open. */
export function Deliveries({ owner, endpoint, onClose }: Props) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const [state, setState] = useState<State | ''>('');
  const [shown, setShown] = useState<string | null>(null);
  const queries = useQueryClient();
  const close = () => {
    onClose();
    // A delivery changes the status of its endpoint.
    void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
  };
  const answer = useInfiniteQuery({
    queryKey: ['webhook-endpoints', owner, endpoint.id, 'deliveries', state],
    queryFn: ({ pageParam, signal }) =>
      endpointsOf(owner).deliveries.list(
        endpoint.id,
        { cursor: pageParam, state: state || undefined, perPage: 20 },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.pages.length === 1 ? INTERVAL_MS : false),
  });
  const deliveries = answer.data?.pages.flatMap(({ data }) => data);
  const delivery = deliveries?.find(({ eventId }) => eventId === shown);
  return (
    <Dialog
      open
      onClose={close}
      title={t('deliveries')}
      description={endpoint.url}
      closeLabel={forms('close')}
      size="large"
    >
      {delivery === undefined ? (
        <>
          <FilterState value={state} onChange={setState} />
          {answer.isError ? (
            <LoadFailed error={answer.error} onRetry={() => void answer.refetch()} />
          ) : (
            <DeliveryTable deliveries={deliveries} onShow={setShown} />
          )}
          {answer.hasNextPage ? (
            <Button pending={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
              {t('older')}
            </Button>
          ) : null}
        </>
      ) : (
        <DeliveryDetails {...{ owner, endpoint, delivery }} onBack={() => setShown(null)} />
      )}
    </Dialog>
  );
}

function FilterState({ value, onChange }: { value: State | ''; onChange: (state: State | '') => void }) {
  const t = useWebhooksText();
  const words = useListsText();
  const states = (['pending', 'delivered', 'failed'] as const).map((one) => ({
    value: one,
    label: t(`states.${one}`),
  }));
  return (
    <FilterSelect
      label={words('words.status')}
      options={[{ value: '', label: words('all') }, ...states]}
      value={value}
      onChange={(next) => onChange(next as State | '')}
    />
  );
}

type TableProps = { deliveries: readonly WebhookDelivery[] | undefined; onShow: (eventId: string) => void };

function DeliveryTable({ deliveries, onShow }: TableProps) {
  const t = useWebhooksText();
  const words = useListsText();
  if (deliveries === undefined) return <TableSkeleton columns={4} rows={5} />;
  if (deliveries.length === 0) return <EmptyState title={t('noDeliveries')}>{t('noDeliveriesText')}</EmptyState>;
  return (
    <Table caption={t('deliveries')}>
      <thead>
        <tr>
          <Th>{words('words.type')}</Th>
          <Th>{words('words.status')}</Th>
          <Th>{words('words.attempts')}</Th>
          <Th>{words('words.created')}</Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ eventId, type, state, attempts, createdAt }) => (
          <TableRow key={eventId}>
            <Td label={words('words.type')} isActive>
              <Button size="small" onClick={() => onShow(eventId)}>
                <EventName type={type} />
              </Button>
            </Td>
            <Td label={words('words.status')}>
              <Badge tone={STATE_TONES[state]}>{t(`states.${state}`)}</Badge>
            </Td>
            <Td label={words('words.attempts')}>{t('attempts', { count: attempts.length })}</Td>
            <Td label={words('words.created')}>
              <Instant value={createdAt} />
            </Td>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
