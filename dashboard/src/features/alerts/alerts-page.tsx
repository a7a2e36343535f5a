import type { Alert } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { AcknowledgeButton } from './acknowledge-button.tsx';
import { useAlertsText } from './text.ts';

/** What the service asks a person to look at. */
export function AlertsPage() {
  const t = useAlertsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="alerts"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['alerts']}
      read={(search, options) => paydesk().operator.alerts.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<Alert>[] {
  const t = useAlertsText();
  const words = useListsText();
  return [
    { id: 'message', header: t('message'), cell: ({ message }) => message },
    {
      id: 'company',
      header: words('words.company'),
      cell: (row) => <NamedCompanyLink company={row} />,
      isActive: true,
    },
    { id: 'at', header: words('words.at'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    {
      id: 'state',
      header: words('words.status'),
      cell: (alert) => <AcknowledgeButton alert={alert} />,
      isActive: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useAlertsText();
  const words = useListsText();
  return [
    {
      kind: 'choice',
      name: 'state',
      label: words('words.status'),
      options: [
        { value: 'open', label: t('states.open') },
        { value: 'acknowledged', label: t('states.acknowledged') },
      ],
    },
  ];
}
