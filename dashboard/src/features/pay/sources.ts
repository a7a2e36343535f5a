import { useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { cardName, expiryOf, hasExpired } from '../../format/card.ts';
import { cardsQuery, paypalAccountsQuery } from '../payment-methods/queries.ts';
import { usePayText } from './text.ts';

/** A card or PayPal account that an invoice can be charged to. */
export type Source = {
  id: string;
  name: string;
  detail: string;
  isDefault: boolean;
  isExpired: boolean;
  makeDefault: () => Promise<unknown>;
};

/** What the company has saved for invoices of this method, the newest first. */
export function useSources(method: 'Card' | 'paypal'): Source[] {
  const t = usePayText();
  const { data } = useSuspenseQuery<readonly Saved[]>(
    method === 'Card' ? (cardsQuery as never) : (paypalAccountsQuery as never),
  );
  return data.map((saved) => {
    if ('email' in saved) {
      const makeDefault = () => paydesk().paypalAccounts.update(saved.id, { isDefault: true });
      return { ...saved, name: saved.email, detail: 'PayPal', isExpired: false, makeDefault };
    }
    const { id, info, isDefault } = saved;
    const { expMonth, expYear } = info;
    const isExpired = hasExpired(info);
    return {
      id,
      name: cardName(info),
      detail: t(isExpired ? 'expired' : 'expires', { date: expiryOf(info) }),
      isDefault,
      isExpired,
      makeDefault: () => paydesk().cards.update(id, { isDefault: true, info: { expMonth, expYear } }),
    };
  });
}

type Saved =
  | { id: string; email: string; isDefault: boolean }
  | {
      id: string;
      isDefault: boolean;
      info: { brand: string; cardNumber: string; expMonth: number; expYear: number };
    };
