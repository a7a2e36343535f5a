import type { Event } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { EventName, useEventName } from '../../codes/event-name.tsx';
import { EVENT_TYPES } from '../../codes/event-types.ts';
import { Instant } from '../../format/values.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { InvoiceLink } from '../operator-invoices/invoice-link.tsx';
import { useEventsText } from './text.ts';

/** The events of the service. */
export function EventsPage() {
  const t = useEventsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="events"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['events']}
      read={(search, options) => paydesk().operator.events.list({ perPage: 50, ...search }, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<Event>[] {
  const t = useEventsText();
  const words = useListsText();
  return [
    { id: 'type', header: words('words.type'), cell: ({ type }) => <EventName type={type} /> },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    { id: 'invoice', header: words('words.invoice'), cell: (row) => <InvoiceOfEvent event={row} />, isActive: true },
    { id: 'at', header: words('words.at'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    { id: 'data', header: t('data'), cell: ({ data }) => <code>{JSON.stringify(data)}</code>, isOptional: true },
  ];
}

function useFilters(): Filter[] {
  const words = useListsText();
  const eventName = useEventName();
  const language = useLanguage();
  const types = EVENT_TYPES.map((value) => ({ value, label: eventName(value) })).toSorted((one, other) =>
    one.label.localeCompare(other.label, language),
  );
  return [
    { kind: 'choice', name: 'type', label: words('words.type'), options: types },
    { kind: 'date', name: 'startAt', label: words('words.from') },
    { kind: 'date', name: 'endAt', label: words('words.to') },
  ];
}

/** The invoice that an event is about, whose data is the invoice, or that its data names. */
function InvoiceOfEvent({ event: { type, data, invoiceNumber } }: { event: Event }) {
  if (invoiceNumber === null) return null;
  const { id, invoiceId } = data as { id?: string; invoiceId?: string };
  return <InvoiceLink invoiceId={(type.startsWith('invoice.') ? id : invoiceId) ?? ''} number={invoiceNumber} />;
}
