import { queryOptions } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: async ({ signal }) => await paydesk().cards.list({ signal }),
});

export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: async ({ signal }) => await paydesk().addresses.list({ signal }),
});

export const paypalAccountsQuery = queryOptions({
  queryKey: ['paypal-accounts'],
  queryFn: async ({ signal }) => await paydesk().paypalAccounts.list({ signal }),
});
