import { useQuery } from '@tanstack/react-query';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

const TONES = { pending: 'info', delivered: 'success', failed: 'danger' } as const;
const INTERVAL_MS = 2_000;

type Props = { owner: Owner; endpointId: string; onClose: () => void };

/** The latest deliveries of an endpoint, with how often each was tried. It follows them while it is open. */
export function Deliveries({ owner, endpointId, onClose }: Props) {
  const t = useWebhooksText();
  const words = useListsText();
  const forms = useFormsText();
  const { data } = useQuery({
    queryKey: ['webhook-endpoints', owner, endpointId, 'deliveries'],
    queryFn: async ({ signal }) => endpointsOf(owner).deliveries.list(endpointId, {}, { signal }),
    refetchInterval: INTERVAL_MS,
  });
  return (
    <Dialog open onClose={onClose} title={t('deliveries')} closeLabel={forms('close')}>
      {data === undefined || data.data.length === 0 ? (
        <p>{data === undefined ? null : t('noDeliveries')}</p>
      ) : (
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
            {data.data.map(({ eventId, type, state, attempts, createdAt }) => (
              <TableRow key={eventId}>
                <Td label={words('words.type')}>{type}</Td>
                <Td label={words('words.status')}>
                  <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
                </Td>
                <Td label={words('words.attempts')}>{t('attempts', { count: attempts.length })}</Td>
                <Td label={words('words.created')}>
                  <Instant value={createdAt} />
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Dialog>
  );
}
