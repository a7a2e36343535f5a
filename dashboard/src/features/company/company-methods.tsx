import { useSuspenseQueries } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { cardName, expiryOf } from '../../format/card.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { useCompanyText } from './text.ts';

/** How the company pays: its cards and PayPal accounts, without their secrets. */
export function CompanyMethods({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const { cards, paypalAccounts } = paydesk().operator.companies;
  const [{ data: ofCards }, { data: ofPaypal }] = useSuspenseQueries({
    queries: [
      {
        queryKey: ['companies', companyId, 'cards'],
        queryFn: async ({ signal }: { signal: AbortSignal }) => await cards.list(companyId, { signal }),
      },
      {
        queryKey: ['companies', companyId, 'paypal-accounts'],
        queryFn: async ({ signal }: { signal: AbortSignal }) => await paypalAccounts.list(companyId, { signal }),
      },
    ],
  });
  const items = [
    ...ofCards.map(({ info, isDefault, mandate }) => ({
      term: cardName(info),
      value: (
        <>
          {mandate === null ? `${t('expiry')} ${expiryOf(info)}` : mandate.reference}{' '}
          {isDefault ? <Badge tone="info">{t('default')}</Badge> : null}
        </>
      ),
    })),
    ...ofPaypal.map(({ email, isDefault }) => ({
      term: `PayPal ${email}`,
      value: isDefault ? <Badge tone="info">{t('default')}</Badge> : '',
    })),
  ];
  return (
    <Card title={t('methodsTitle')}>
      {items.length === 0 ? <p>{t('noMethods')}</p> : <Description items={items} />}
    </Card>
  );
}
