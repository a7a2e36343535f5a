import type { PaypalAccount } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { serviceFacts } from '../../shell/service-facts.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { MethodRow } from './method-row.tsx';
import styles from './payment-methods.module.css';
import { paypalAccountsQuery } from './queries.ts';
import { useMethodsText } from './text.ts';
import { useChange } from './use-change.ts';

const DeleteDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ DeleteDialog: dialog }) => ({ default: dialog })),
);
const MethodDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ MethodDialog: dialog }) => ({ default: dialog })),
);

/** Shown where there are PayPal accounts, or the sandbox takes one. */
export function PaypalSection() {
  const t = useMethodsText();
  const may = useMay();
  const { data: accounts } = useSuspenseQuery(paypalAccountsQuery);
  const [deleted, setDeleted] = useState<PaypalAccount | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const { submit, isPending } = useChange('paypal-accounts');
  const isAddable = serviceFacts().isSandbox && may('platform.billing.all');
  if (accounts.length === 0 && !isAddable) return null;
  const remove = async ({ id, email }: PaypalAccount) => {
    await submit({ change: () => paydesk().paypalAccounts.delete(id), done: t('paypal.deleted', { email }) });
    setDeleted(null);
  };
  return (
    <Card
      title={t('paypal.title')}
      description={t('paypal.description')}
      isPadded={false}
      actions={isAddable ? <Button onClick={() => setIsAdding(true)}>{t('paypal.add')}</Button> : null}
    >
      {accounts.length === 0 ? (
        <p className={`${styles.row} ${styles.note}`}>{t('paypal.empty')}</p>
      ) : (
        <ul className={styles.rows}>
          {accounts.map((account) => (
            <Account
              key={account.id}
              account={account}
              onDelete={() => setDeleted(account)}
              onChange={(input) => void submit(input)}
            />
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {isAdding ? <MethodDialog opened={{ kind: 'paypal' }} onClose={() => setIsAdding(false)} /> : null}
        {deleted === null ? null : (
          <DeleteDialog
            title={t('paypal.deleteTitle', { email: deleted.email })}
            text={t('paypal.deleteText')}
            confirm={t('paypal.delete')}
            pending={isPending}
            onConfirm={() => void remove(deleted)}
            onClose={() => setDeleted(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}

type AccountProps = {
  account: PaypalAccount;
  onDelete: () => void;
  onChange: (input: { change: () => Promise<unknown>; done: string }) => void;
};

function Account({ account: { id, email, isDefault }, onDelete, onChange }: AccountProps) {
  const t = useMethodsText();
  const makeDefault = () =>
    onChange({
      change: () => paydesk().paypalAccounts.update(id, { isDefault: true }),
      done: t('paypal.isDefaultNow', { email }),
    });
  return (
    <MethodRow
      icon={<Wallet />}
      name={
        <>
          {email}
          {isDefault ? <Badge tone="info">{t('default')}</Badge> : null}
        </>
      }
      detail="PayPal"
      history={{ ids: [id], name: email }}
      actionsLabel={t('actionsFor', { name: email })}
      actions={[
        ...(isDefault ? [] : [{ label: t('makeDefault'), onSelect: makeDefault }]),
        { label: t('paypal.delete'), tone: 'danger', onSelect: onDelete },
      ]}
    />
  );
}
