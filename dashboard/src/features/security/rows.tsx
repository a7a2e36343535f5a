import { isPaydeskError } from '@paydesk/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFailure } from '../../forms/use-submit.ts';
import { useShellText } from '../../shell/text.ts';
import { ErrorState } from '../../ui/error-state/error-state.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './security.module.css';

/** A short list in a card, in each of its states. */
export function Rows<Row>({
  query,
  empty,
  children,
}: {
  query: UseQueryResult<{ data: Row[] }>;
  empty: string;
  children: (row: Row) => ReactNode;
}) {
  const t = useShellText();
  const failureOf = useFailure();
  if (query.isPending) return <Skeleton lines={2} />;
  if (query.isError) {
    const { message = t('error.message'), requestId } = isPaydeskError(query.error)
      ? query.error
      : failureOf(query.error);
    return (
      <ErrorState
        title={t('error.heading')}
        message={message}
        requestId={requestId ?? undefined}
        requestIdLabel={t('requestId')}
        retryLabel={t('retry')}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { data } = query.data;
  return data.length === 0 ? (
    <p className={styles.fact}>{empty}</p>
  ) : (
    <ul className={styles.list}>{data.map(children)}</ul>
  );
}
