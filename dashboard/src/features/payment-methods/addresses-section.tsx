import type { Address } from '@paydesk/client';
import { MapPin } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { countryName } from '../../format/countries.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Card } from '../../ui/card/card.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { addressLine } from './address-fields.tsx';
import { MethodRow } from './method-row.tsx';
import styles from './payment-methods.module.css';
import { useMethodsText } from './text.ts';
import { useChange } from './use-change.ts';

const DeleteDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ DeleteDialog: dialog }) => ({ default: dialog })),
);
const MethodDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ MethodDialog: dialog }) => ({ default: dialog })),
);

export function AddressesSection({ addresses }: { addresses: readonly Address[] }) {
  const t = useMethodsText();
  const language = useLanguage();
  const [deleted, setDeleted] = useState<Address | null>(null);
  const [edited, setEdited] = useState<Address | null>(null);
  const { submit, isPending } = useChange('addresses');
  const remove = async ({ id }: Address) => {
    await submit({ change: () => paydesk().addresses.delete(id), done: t('address.deleted') });
    setDeleted(null);
  };
  return (
    <Card title={t('address.title')} description={t('address.description')} isPadded={false}>
      {addresses.length === 0 ? (
        <EmptyState title={t('address.empty')}>{t('address.emptyHint')}</EmptyState>
      ) : (
        <ul className={styles.rows}>
          {addresses.map((address) => (
            <MethodRow
              key={address.id}
              icon={<MapPin />}
              name={addressLine(address)}
              detail={countryName(address.country, language)}
              history={{ ids: [address.id], name: addressLine(address) }}
              actionsLabel={t('actionsFor', { name: addressLine(address) })}
              actions={[
                { label: t('address.edit'), onSelect: () => setEdited(address) },
                { label: t('address.delete'), tone: 'danger', onSelect: () => setDeleted(address) },
              ]}
            />
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {edited === null ? null : (
          <MethodDialog opened={{ kind: 'address', address: edited }} onClose={() => setEdited(null)} />
        )}
        {deleted === null ? null : (
          <DeleteDialog
            title={t('address.deleteTitle')}
            text={t('address.deleteText', { address: addressLine(deleted) })}
            confirm={t('address.delete')}
            pending={isPending}
            onConfirm={() => void remove(deleted)}
            onClose={() => setDeleted(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}
