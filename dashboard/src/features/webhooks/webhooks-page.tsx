import type { WebhookEndpoint } from '@paydesk/client';
import { useState } from 'react';
import { useEventName } from '../../codes/event-name.tsx';
import { useCodesText } from '../../codes/text.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointMenu } from './endpoint-menu.tsx';
import { endpointsOf, type Owner, useMayChange } from './owner.ts';
import { useWebhooksText } from './text.ts';
import { useEndpointActions } from './use-endpoint-actions.ts';

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
      before={({ data }) =>
        data
          .filter(({ status }) => status !== 'enabled')
          .map((endpoint) => <Trouble key={endpoint.id} owner={owner} endpoint={endpoint} />)
      }
    />
  );
}

/** Opens the form of a new endpoint. */
function AddEndpoint({ owner }: { owner: Owner }) {
  const t = useWebhooksText();
  const mayChange = useMayChange(owner);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" disabledReason={mayChange ? undefined : t('mayNot')} onClick={() => setIsOpen(true)}>
        {t('add')}
      </Button>
      {isOpen ? <EndpointDialog owner={owner} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Says what it means that an endpoint fails or is disabled, and offers the way back. */
function Trouble({ owner, endpoint: { id, url, status } }: { owner: Owner; endpoint: WebhookEndpoint }) {
  const t = useWebhooksText();
  const mayChange = useMayChange(owner);
  const { test, enable } = useEndpointActions(owner, id);
  const isDisabled = status === 'disabled';
  const action = isDisabled ? (
    <Button onClick={enable}>{t('enable')}</Button>
  ) : (
    <Button onClick={test}>{t('test')}</Button>
  );
  return (
    <Banner
      tone={isDisabled ? 'neutral' : 'warning'}
      title={t(isDisabled ? 'isDisabled' : 'isFailing', { url })}
      action={mayChange ? action : undefined}
    >
      {t(isDisabled ? 'isDisabledText' : 'isFailingText')}
    </Banner>
  );
}

function useColumns(owner: Owner): Column<WebhookEndpoint>[] {
  const t = useWebhooksText();
  const words = useListsText();
  return [
    { id: 'url', header: t('url'), cell: ({ url }) => url },
    { id: 'about', header: t('about'), cell: ({ description }) => description },
    { id: 'types', header: t('types'), cell: (endpoint) => <EndpointEvents endpoint={endpoint} /> },
    {
      id: 'status',
      header: words('words.status'),
      cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
    },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} as="date" /> },
    { id: 'menu', header: '', cell: (endpoint) => <EndpointMenu owner={owner} endpoint={endpoint} />, isActive: true },
  ];
}

/** Whether deliveries to the endpoint arrive. */
export function EndpointStatus({ endpoint: { status } }: { endpoint: WebhookEndpoint }) {
  const t = useWebhooksText();
  return <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>;
}

/** The first of the chosen types or groups, and how many more there are; all of them on hover. */
export function EndpointEvents({ endpoint: { types } }: { endpoint: WebhookEndpoint }) {
  const t = useWebhooksText();
  const codes = useCodesText();
  const eventName = useEventName();
  const textOf = (type: string) => {
    const group = `eventGroups.${type.slice(0, -2) as 'invoice'}` as const;
    return type.endsWith('.*') && codes.has(group) ? t('allOf', { group: codes(group) }) : eventName(type);
  };
  const [first, ...others] = types.map(textOf);
  if (first === undefined) return t('allTypes');
  if (others.length === 0) return first;
  return <span title={[first, ...others].join('\n')}>{t('andMore', { first, count: others.length })}</span>;
}
