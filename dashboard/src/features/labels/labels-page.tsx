import type { Label } from '@paydesk/client';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { RowActions } from '../../ui/table/table.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { useLabelsBulk } from './bulk.tsx';
import { DeleteLabel } from './delete-label.tsx';
import { CreateLabel, EditLabel } from './label-dialog.tsx';
import { LabelTag } from './label-tag.tsx';
import { useLabelsText } from './text.ts';

/** The labels of the company. */
export function LabelsPage() {
  const t = useLabelsText();
  const words = useListsText();
  const filters: Filter[] = [{ kind: 'search', name: 'name', label: words('search') }];
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="labels"
      caption={t('title')}
      columns={useColumns()}
      filters={filters}
      queryKey={['labels']}
      read={({ page, sort, ...search }, options) =>
        paydesk().labels.list(
          { per_page: 25, ...search, ...(page === undefined ? {} : { current_page: Number(page) }), ...orderOf(sort) },
          options,
        )
      }
      rowId={({ id }) => id}
      actions={<CreateLabel />}
      bulk={useLabelsBulk()}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

/** The API has the field and the direction of a sort apart; `-name` is descending. */
function orderOf(sort: string | undefined) {
  if (sort === undefined) return {};
  const isDescending = sort.startsWith('-');
  return {
    order_by: sort.slice(isDescending ? 1 : 0) as 'name' | 'created_at',
    sort_by: isDescending ? 'DESC' : 'ASC',
  };
}

function useColumns(): Column<Label>[] {
  const t = useLabelsText();
  const words = useListsText();
  const may = useMay();
  const columns: Column<Label>[] = [
    { id: 'name', header: words('words.name'), cell: (label) => <LabelTag label={label} />, sort: 'name' },
    { id: 'about', header: t('about'), cell: ({ description }) => description },
    { id: 'uses', header: t('uses'), cell: ({ assignments }) => assignments, isNumeric: true },
    {
      id: 'created',
      header: words('words.created'),
      cell: ({ createdAt }) => <Instant value={createdAt} as="date" />,
      sort: 'created_at',
    },
    { id: 'by', header: words('words.actor'), cell: ({ createdBy }) => createdBy, isOptional: true },
  ];
  const mayChange = may('application.labels.all');
  const cell = (label: Label) => (
    <RowActions>
      <RowHistory ids={[label.id]} name={label.name} />
      {mayChange ? <EditLabel label={label} /> : null}
      {mayChange ? <DeleteLabel label={label} /> : null}
    </RowActions>
  );
  return [...columns, { id: 'actions', header: '', cell, isActive: true }];
}
