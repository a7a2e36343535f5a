import type { WebhookEndpoint } from '@paydesk/client';
import { useMay } from '../../api/may.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointMenu } from './endpoint-menu.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

const TONES: Record<WebhookEndpoint['status'], Tone> = { enabled: 'success', failing: 'warning', disabled: 'neutral' };

/** The endpoints of the company, which get its events. */
export function WebhooksPage() {
  return <Endpoints owner="company" />;
}

/** The endpoints of the operator, which get the events of all companies. */
export function OperatorWebhooksPage() {
  return <Endpoints owner="operator" />;
}

function Endpoints({ owner }: { owner: Owner }) {
  const t = useWebhooksText();
  return (
    <ListPage
      title={t('title')}
      description={t(`descriptions.${owner}`)}
      actions={<AddEndpoint owner={owner} />}
      name={`webhooks-${owner}`}
      caption={t('title')}
      columns={useColumns(owner)}
      queryKey={['webhook-endpoints', owner]}
      read={(_search, options) => endpointsOf(owner).list(options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(owner: Owner): Column<WebhookEndpoint>[] {
  const t = useWebhooksText();
  const words = useListsText();
  const may = useMay();
  const columns: Column<WebhookEndpoint>[] = [
    { id: 'url', header: t('url'), cell: ({ url }) => url },
    { id: 'about', header: t('about'), cell: ({ description }) => description },
    { id: 'types', header: t('types'), cell: ({ types }) => (types.length === 0 ? t('allTypes') : types.join(', ')) },
    {
      id: 'status',
      header: words('words.status'),
      cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
    },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} as="date" /> },
  ];
  if (owner === 'company' && !may('platform.applications.all')) return columns;
  return [
    ...columns,
    { id: 'menu', header: '', cell: (endpoint) => <EndpointMenu owner={owner} endpoint={endpoint} />, isActive: true },
  ];
}

/** Whether deliveries to the endpoint arrive. */
export function EndpointStatus({ endpoint: { status } }: { endpoint: WebhookEndpoint }) {
  const t = useWebhooksText();
  return <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>;
}
