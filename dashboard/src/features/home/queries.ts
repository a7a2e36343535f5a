import { queryOptions } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';

/** The three requests of the home page. They run side by side. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => paydesk().overview.get({ signal }),
});

export const upcomingInvoiceQuery = queryOptions({
  queryKey: ['upcoming-invoice'],
  queryFn: ({ signal }) => paydesk().upcomingInvoice.get({}, { signal }),
});

export const recentInvoicesQuery = queryOptions({
  queryKey: ['invoices', { perPage: 5 }],
  queryFn: async ({ signal }) => await paydesk().invoices.list({ perPage: 5 }, { signal }),
});
