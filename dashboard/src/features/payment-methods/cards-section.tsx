import type { CardWithAddress } from '@paydesk/client';
import { CreditCard, Landmark } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { cardName, expiryOf, hasExpired } from '../../format/card.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Card } from '../../ui/card/card.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { MethodRow } from './method-row.tsx';
import styles from './payment-methods.module.css';
import { useMethodsText } from './text.ts';
import { useChange } from './use-change.ts';

const DeleteDialog = lazy(() =>
  import('./method-dialog.tsx').then(({ DeleteDialog: dialog }) => ({ default: dialog })),
);

export function CardsSection({ cards }: { cards: readonly CardWithAddress[] }) {
  const t = useMethodsText();
  const [deleted, setDeleted] = useState<CardWithAddress | null>(null);
  const { submit, isPending } = useChange('cards');
  const remove = async (card: CardWithAddress) => {
    await submit({
      change: () => paydesk().cards.delete(card.id),
      done: t('card.deleted', { card: cardName(card.info) }),
    });
    setDeleted(null);
  };
  return (
    <Card title={t('card.title')} description={t('card.description')} isPadded={false}>
      {cards.length === 0 ? (
        <EmptyState title={t('card.empty')}>{t('card.emptyHint')}</EmptyState>
      ) : (
        <ul className={styles.rows}>
          {cards.map((card) => (
            <CardRow
              key={card.id}
              card={card}
              onChange={(input) => void submit(input)}
              onDelete={() => setDeleted(card)}
            />
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {deleted === null ? null : (
          <DeleteDialog
            title={t('card.deleteTitle', { card: cardName(deleted.info) })}
            text={t(
              deleted.isDefault
                ? 'card.deleteDefault'
                : deleted.mandate === null
                  ? 'card.deleteOther'
                  : 'mandate.deleteOther',
            )}
            confirm={t(deleted.mandate === null ? 'card.delete' : 'mandate.delete')}
            pending={isPending}
            onConfirm={() => void remove(deleted)}
            onClose={() => setDeleted(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}

type RowProps = {
  card: CardWithAddress;
  onChange: (input: { change: () => Promise<unknown>; done: string }) => void;
  onDelete: () => void;
};

function CardRow({ card, onChange, onDelete }: RowProps) {
  const t = useMethodsText();
  const { id, info, isDefault, mandate } = card;
  const isExpired = hasExpired(info);
  const name = cardName(info);
  const makeDefault = () =>
    onChange({
      change: () =>
        paydesk().cards.update(id, { isDefault: true, info: { expMonth: info.expMonth, expYear: info.expYear } }),
      done: t('card.isDefaultNow', { card: name }),
    });
  return (
    <MethodRow
      icon={mandate === null ? <CreditCard /> : <Landmark />}
      name={
        <>
          {name}
          {isDefault ? <Badge tone="info">{t('default')}</Badge> : null}
          {isExpired ? <Badge tone="danger">{t('card.expired')}</Badge> : null}
        </>
      }
      detail={
        mandate === null
          ? t(isExpired ? 'card.hasExpired' : 'card.expires', { name: info.cardName, date: expiryOf(info) })
          : t('mandate.detail', { name: info.cardName, reference: mandate.reference })
      }
      history={{ ids: [card.id], name }}
      actionsLabel={t('actionsFor', { name })}
      actions={[
        ...(isDefault || isExpired ? [] : [{ label: t('makeDefault'), onSelect: makeDefault }]),
        { label: t(mandate === null ? 'card.delete' : 'mandate.delete'), tone: 'danger', onSelect: onDelete },
      ]}
    />
  );
}
