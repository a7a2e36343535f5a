import type { OperatorApiKey, WebhookEndpoint } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPart } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { useApiKeysText } from '../api-keys/text.ts';
import { useWebhooksText } from '../webhooks/text.ts';
import { EndpointEvents, EndpointStatus } from '../webhooks/webhooks-page.tsx';
import { CompanyFrame } from './company-frame.tsx';
import { useCompanyText } from './text.ts';

/** What a company's programs use: its API keys and its webhook endpoints, to read only. */
export function CompanyDevelopersPage() {
  return (
    <CompanyFrame part="developers">
      {({ id }) => (
        <>
          <ApiKeys companyId={id} />
          <Endpoints companyId={id} />
        </>
      )}
    </CompanyFrame>
  );
}

function ApiKeys({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const keys = useApiKeysText();
  const words = useListsText();
  const columns: Column<OperatorApiKey>[] = [
    { id: 'name', header: words('words.name'), cell: ({ name }) => name },
    { id: 'prefix', header: keys('prefix'), cell: ({ prefix }) => <code>{prefix}</code> },
    { id: 'by', header: words('words.actor'), cell: ({ createdBy }) => createdBy.name },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} as="date" /> },
    {
      id: 'lastUsed',
      header: words('words.lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words('words.never') : <Instant value={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: words('words.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? words('words.never') : <Instant value={expiresAt} as="date" />),
    },
  ];
  return (
    <ListPart
      title={keys('title')}
      queryKey={['companies', companyId, 'api-keys']}
      read={async (options) => {
        const { data } = await paydesk().operator.companies.apiKeys.list(companyId, { perPage: 100 }, options);
        return data;
      }}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('noApiKeys')}
    />
  );
}

function Endpoints({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const webhooks = useWebhooksText();
  const words = useListsText();
  const columns: Column<WebhookEndpoint>[] = [
    { id: 'url', header: webhooks('url'), cell: ({ url }) => url },
    { id: 'about', header: webhooks('about'), cell: ({ description }) => description },
    {
      id: 'types',
      header: webhooks('types'),
      cell: (endpoint) => <EndpointEvents endpoint={endpoint} />,
    },
    { id: 'status', header: words('words.status'), cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} as="date" /> },
  ];
  return (
    <ListPart
      title={t('endpointsTitle')}
      queryKey={['companies', companyId, 'webhook-endpoints']}
      read={async (options) => (await paydesk().operator.companies.webhookEndpoints.list(companyId, options)).data}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('noEndpoints')}
    />
  );
}
