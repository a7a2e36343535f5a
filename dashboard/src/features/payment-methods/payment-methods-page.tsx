import { useSuspenseQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { AddressesSection } from './addresses-section.tsx';
import { CardsSection } from './cards-section.tsx';
import styles from './payment-methods.module.css';
import { PaypalSection } from './paypal-section.tsx';
import { addressesQuery, cardsQuery } from './queries.ts';
import { takesMandates } from './takes-mandates.ts';
import { useMethodsText } from './text.ts';

const MethodDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ MethodDialog: dialog }) => ({ default: dialog })),
);

/** What a company pays with, and its addresses. */
export function PaymentMethodsPage() {
  const t = useMethodsText();
  const may = useMay();
  const [opened, setOpened] = useState<'card' | 'mandate' | 'address' | null>(null);
  const { data: cards } = useSuspenseQuery(cardsQuery);
  const { data: addresses } = useSuspenseQuery(addressesQuery);
  const reason = may('platform.billing.all') ? undefined : t('notAllowed');
  const plus = <Plus aria-hidden="true" />;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          <Button icon={plus} disabledReason={reason} onClick={() => setOpened('address')}>
            {t('address.add')}
          </Button>
          {takesMandates() ? (
            <Button icon={plus} disabledReason={reason} onClick={() => setOpened('mandate')}>
              {t('mandate.add')}
            </Button>
          ) : null}
          <Button variant="primary" icon={plus} disabledReason={reason} onClick={() => setOpened('card')}>
            {t('card.add')}
          </Button>
        </>
      }
    >
      <div className={styles.sections}>
        <CardsSection cards={cards} />
        <PaypalSection />
        <AddressesSection addresses={addresses} />
      </div>
      <Suspense fallback={null}>
        {opened === null ? null : <MethodDialog opened={{ kind: opened }} onClose={() => setOpened(null)} />}
      </Suspense>
    </Page>
  );
}
