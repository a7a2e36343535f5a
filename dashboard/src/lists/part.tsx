import { isPaydeskError } from '@paydesk/client';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../ui/card/card.tsx';
import { ErrorState } from '../ui/error-state/error-state.tsx';
import { TableSkeleton } from '../ui/skeleton/table-skeleton.tsx';
import { Table, TableRow, Td, Th } from '../ui/table/table.tsx';
import { useListsText } from './text.ts';
import type { Column } from './types.ts';

type PartProps<Data> = {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  queryKey: QueryKey;
  read: (options: { signal: AbortSignal }) => Promise<Data>;
  children: (data: Data) => ReactNode;
};

/** A part of a page that loads by itself: while it waits or fails, the rest of the page stays. */
export function Part<Data>({ title, description, actions, queryKey, read, children }: PartProps<Data>) {
  const t = useListsText();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => read({ signal }) });
  return (
    <Card title={title} description={description} actions={actions}>
      {data !== undefined ? (
        children(data)
      ) : error === null ? (
        <TableSkeleton columns={3} rows={2} />
      ) : (
        <ErrorState
          title={t('partFailed')}
          message={error.message}
          requestId={isPaydeskError(error) ? (error.requestId ?? undefined) : undefined}
          requestIdLabel={t('requestId')}
          retryLabel={t('retry')}
          onRetry={() => void refetch()}
        />
      )}
    </Card>
  );
}

type ListPartProps<Row> = Omit<PartProps<readonly Row[]>, 'children'> & {
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** Stands where nothing is yet. */
  empty: string;
};

/** A short list that is a part of a page, without filters and pages. */
export function ListPart<Row>({ columns, rowId, empty, ...part }: ListPartProps<Row>) {
  return (
    <Part {...part}>
      {(rows) =>
        rows.length === 0 ? (
          <p>{empty}</p>
        ) : (
          <Table caption={part.title}>
            <thead>
              <tr>
                {columns.map(({ id, header, isNumeric }) => (
                  <Th key={id} align={isNumeric ? 'end' : 'start'}>
                    {header}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <TableRow key={rowId(row)}>
                  {columns.map(({ id, header, cell, isNumeric, isActive }) => (
                    <Td key={id} label={header} numeric={isNumeric === true} isActive={isActive}>
                      {cell(row)}
                    </Td>
                  ))}
                </TableRow>
              ))}
            </tbody>
          </Table>
        )
      }
    </Part>
  );
}
