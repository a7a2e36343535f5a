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
export function useSources({ method, currency }: { method: 'Card' | 'paypal'; currency: string }): Source[] {
  const t = usePayText();
  const { data } = useSuspenseQuery<readonly Saved[]>(
    method === 'Card' ? (cardsQuery as never) : (paypalAccountsQuery as never),
  );
  // A mandate pays in euros alone.
  const usable = data.filter((saved) => currency === 'EUR' || !('mandate' in saved) || saved.mandate === null);
  return usable.map((saved) => {
    if ('email' in saved) {
      const makeDefault = () => paydesk().paypalAccounts.update(saved.id, { isDefault: true });
      return { ...saved, name: saved.email, detail: 'PayPal', isExpired: false, makeDefault };
    }
    const { id, info, isDefault, mandate } = saved;
    const { expMonth, expYear } = info;
    const isExpired = hasExpired(info);
    return {
      id,
      name: cardName(info),
      detail: mandate === null ? t(isExpired ? 'expired' : 'expires', { date: expiryOf(info) }) : info.cardName,
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
      mandate: object | null;
      info: { brand: string; cardNumber: string; cardName: string; expMonth: number; expYear: number };
    };
