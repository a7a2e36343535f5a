import type { UsageThreshold } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useUsageText } from './text.ts';
import { keyOf, thresholdsOf } from './threshold-owner.ts';
import styles from './usage.module.css';

const ThresholdDialog = lazy(() =>
  import('./threshold-dialog.tsx').then(({ ThresholdDialog: dialog }) => ({ default: dialog })),
);

type Props = {
  /** Of whoever looks at it from the console; absent at the company itself. */
  companyId?: string;
};

/** The amounts of usage at which the company is notified. */
export function Thresholds({ companyId }: Props) {
  const t = useUsageText();
  const may = useMay();
  const mayFinance = useLacksRole('finance') === undefined;
  const [isAdding, setIsAdding] = useState(false);
  const { data } = useQuery({
    queryKey: keyOf(companyId),
    queryFn: async ({ signal }) => (await thresholdsOf(companyId).list({ signal })).data,
  });
  const mayChange = companyId === undefined ? may('platform.billing.all') : mayFinance;
  return (
    <Card
      title={t('thresholds.title')}
      description={t('thresholds.description')}
      actions={mayChange ? <Button onClick={() => setIsAdding(true)}>{t('thresholds.add')}</Button> : null}
    >
      {data === undefined || data.length === 0 ? (
        <p className={styles.muted}>{t('thresholds.empty')}</p>
      ) : (
        <ThresholdTable thresholds={data} mayChange={mayChange} companyId={companyId} />
      )}
      <Suspense fallback={null}>
        {isAdding ? <ThresholdDialog companyId={companyId} onClose={() => setIsAdding(false)} /> : null}
      </Suspense>
    </Card>
  );
}

type TableProps = Props & { thresholds: readonly UsageThreshold[]; mayChange: boolean };

function ThresholdTable({ companyId, thresholds, mayChange }: TableProps) {
  const t = useUsageText();
  const format = useFormat();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { submit, isPending } = useSubmit(
    async (id: string) => {
      await thresholdsOf(companyId).delete(id);
      await queryClient.invalidateQueries({ queryKey: keyOf(companyId) });
    },
    {
      onDone: () => void toast.add({ title: t('thresholds.deleted') }),
      onFailure: ({ message }) => void toast.add({ title: message ?? t('thresholds.failed'), tone: 'danger' }),
    },
  );
  return (
    <Table caption={t('thresholds.title')}>
      <thead>
        <tr>
          <Th>{t('path')}</Th>
          <Th align="end">{t('thresholds.quantity')}</Th>
          <Th>{t('thresholds.reached')}</Th>
          {mayChange ? <Th align="end">{t('thresholds.delete')}</Th> : null}
        </tr>
      </thead>
      <tbody>
        {thresholds.map(({ id, path, quantity, lastReached }) => (
          <TableRow key={id}>
            <Td label={t('path')}>{path === '*' ? t('thresholds.all') : path}</Td>
            <Td label={t('thresholds.quantity')} numeric>
              {format.number(quantity)}
            </Td>
            <Td label={t('thresholds.reached')}>
              {lastReached === null ? t('thresholds.notYet') : <Instant value={lastReached.reachedAt} />}
            </Td>
            {mayChange ? (
              <Td label={t('thresholds.delete')} numeric>
                <IconButton
                  label={t('thresholds.deleteOf', { quantity: format.number(quantity), path })}
                  icon={<Trash2 aria-hidden="true" />}
                  disabled={isPending}
                  onClick={() => void submit(id)}
                />
              </Td>
            ) : null}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
