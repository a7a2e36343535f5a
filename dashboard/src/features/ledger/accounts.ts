import { gatewayName } from '../../format/gateways.ts';
import { serviceFacts } from '../../shell/service-facts.ts';
import { useLedgerText } from './text.ts';

const ACCOUNTS = [
  'receivable',
  'revenue',
  'tax',
  'credit',
  'goodwill',
  'refunds_due',
  'disputed',
  'dispute_losses',
  'unallocated',
  'gateway_fees',
  'bank',
] as const;
const CASH = 'cash:';

/** The accounts of the ledger in words. */
export function useAccounts(): {
  nameOf: (account: string) => string;
  /** To choose one of them; of the gateways, those that are configured. */
  options: { value: string; label: string }[];
} {
  const t = useLedgerText();
  const nameOf = (account: string) => {
    if (account.startsWith(CASH)) return t('accounts.cash', { gateway: gatewayName(account.slice(CASH.length)) });
    const known = ACCOUNTS.find((name) => name === account);
    return known === undefined ? account : t(`accounts.${known}`);
  };
  const all = [...ACCOUNTS, ...serviceFacts().gateways.map((gateway) => `${CASH}${gateway}`)];
  return { nameOf, options: all.map((value) => ({ value, label: nameOf(value) })) };
}
