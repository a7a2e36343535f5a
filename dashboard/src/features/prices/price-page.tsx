import type { Price } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { ListPart } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Page } from '../../shell/page.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { HistoryButton } from '../audit-log/history.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { CreatePrice } from './create-price.tsx';
import { EndPrice } from './end-price.tsx';
import { PriceBound } from './price-bound.tsx';
import { PriceLines } from './price-text.tsx';
import styles from './prices.module.css';
import { usePricesText } from './text.ts';

/** One price: what it asks, for whom, and its versions before and after. */
export function PricePage() {
  const t = usePricesText();
  const mayChange = useLacksRole('finance') === undefined;
  const { priceId = '' } = useParams({ strict: false });
  const { data: price } = useSuspenseQuery({
    queryKey: ['prices', priceId],
    queryFn: ({ signal }) => paydesk().operator.prices.get(priceId, { signal }),
  });
  const { title, path } = price;
  return (
    <Page
      title={title}
      documentTitle={`${title}, ${path}`}
      badge={<VersionState price={price} />}
      above={<Link to="/console/prices">{t('title')}</Link>}
      actions={
        <>
          <HistoryButton ids={[price.id]} name={title} />
          <CreatePrice previous={price} />
          {mayChange && price.effectiveTo === null ? <EndPrice price={price} /> : null}
          {mayChange ? <DeletePrice price={price} /> : null}
        </>
      }
    >
      <div className={styles.parts}>
        <Facts price={price} />
        <Versions price={price} />
      </div>
    </Page>
  );
}

function Facts({ price }: { price: Price }) {
  const t = usePricesText();
  const words = useListsText();
  const format = useFormat();
  const { path, currency, companyId, model, freeRequests, pooled, effectiveFrom, effectiveTo } = price;
  const items = [
    { term: words('words.path'), value: <code>{path}</code> },
    { term: words('words.currency'), value: currency },
    { term: t('for'), value: companyId === null ? t('everybody') : <NamedCompanyLink company={price} /> },
    { term: t('from'), value: <PriceBound value={effectiveFrom} /> },
    { term: t('until'), value: effectiveTo === null ? t('open') : <PriceBound value={effectiveTo} /> },
    { term: t('model'), value: `${t(`models.${model}`)}. ${t(`modelTexts.${model}`)}` },
    { term: t('price'), value: <PriceLines price={price} /> },
    { term: t('free'), value: format.number(freeRequests) },
  ];
  return (
    <Card title={t('about')}>
      <Description items={pooled ? [...items, { term: t('pooled'), value: words('words.yes') }] : items} />
    </Card>
  );
}

/** All versions of the same path, currency and company, the newest first. */
function Versions({ price: { id: shownId, path, currency, companyId } }: { price: Price }) {
  const t = usePricesText();
  const columns: Column<Price>[] = [
    {
      id: 'from',
      header: t('from'),
      cell: ({ id, effectiveFrom }) =>
        id === shownId ? (
          <strong>
            <PriceBound value={effectiveFrom} />
          </strong>
        ) : (
          <Link to="/console/prices/$priceId" params={{ priceId: id }}>
            <PriceBound value={effectiveFrom} />
          </Link>
        ),
    },
    {
      id: 'until',
      header: t('until'),
      cell: ({ effectiveTo }) => (effectiveTo === null ? t('open') : <PriceBound value={effectiveTo} />),
    },
    { id: 'state', header: t('state'), cell: (price) => <VersionState price={price} /> },
    { id: 'model', header: t('model'), cell: ({ model }) => t(`models.${model}`) },
    { id: 'price', header: t('price'), cell: (price) => <PriceLines price={price} /> },
  ];
  return (
    <ListPart
      title={t('versions')}
      queryKey={['prices', 'versions', path, currency, companyId]}
      read={async (options) => {
        const query = { path, currency, companyId: companyId ?? 'general', perPage: 100 };
        return (await paydesk().operator.prices.list(query, options)).data;
      }}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('empty.title')}
    />
  );
}

function VersionState({ price: { effectiveFrom, effectiveTo } }: { price: Price }) {
  const t = usePricesText();
  const now = Date.now();
  if (Date.parse(effectiveFrom) > now) return <Badge tone="info">{t('states.later')}</Badge>;
  if (effectiveTo !== null && Date.parse(effectiveTo) <= now) return <Badge tone="neutral">{t('states.ended')}</Badge>;
  return <Badge tone="success">{t('states.now')}</Badge>;
}

function DeletePrice({ price: { id, title } }: { price: Price }) {
  const t = usePricesText();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('delete')}</Button>
      <DeleteDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('delete')}
        typeToConfirm={{ label: t('typeTitle'), text: title }}
        remove={async () => {
          await paydesk().operator.prices.delete(id);
          await navigate({ to: '/console/prices' });
        }}
        queryKey={['prices']}
      >
        <p>{t('deleteText')}</p>
      </DeleteDialog>
    </>
  );
}
