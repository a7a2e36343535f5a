import type { Reconciliation, ReconciliationDifference } from '@paydesk/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paydesk } from '../../api/session.ts';

type Period = { from: string; to?: string };
type Part = Pick<Reconciliation, 'gateway' | 'from' | 'to'> & { cursor: string };

/** What a comparison has found so far. */
export type Comparison = Pick<Reconciliation, 'gateway' | 'gateways' | 'compared' | 'ofOtherInstallations'> & {
  differences: ReconciliationDifference[];
  isOver: boolean;
};

/**
 * Compares the two books part by part, until all of the period is compared.
 * @param gateway - undefined for the first that is configured
 */
export function useComparison(
  period: Period,
  gateway: string | undefined,
): { comparison: Comparison | null; error: unknown; retry: () => void } {
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['reconciliation', period, gateway],
    queryFn: ({ pageParam, signal }) =>
      paydesk().operator.reconciliation.get(pageParam ?? { ...period, gateway }, { signal }),
    initialPageParam: null as Part | null,
    // The end of the first part holds for the others, though time goes on.
    getNextPageParam: ({ nextCursor, ...part }): Part | undefined =>
      nextCursor === null ? undefined : { gateway: part.gateway, from: part.from, to: part.to, cursor: nextCursor },
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const retry = () => void (hasNextPage ? fetchNextPage() : refetch());
  const comparison = data === undefined ? null : sumOf(data.pages);
  return { comparison, error: isError && !isFetching ? error : null, retry };
}

function sumOf(parts: readonly Reconciliation[]): Comparison | null {
  const last = parts.at(-1);
  if (last === undefined) return null;
  return {
    gateway: last.gateway,
    gateways: last.gateways,
    compared: parts.reduce((sum, { compared }) => sum + compared, 0),
    ofOtherInstallations: parts.reduce((sum, { ofOtherInstallations }) => sum + ofOtherInstallations, 0),
    differences: parts.flatMap(({ differences }) => differences),
    isOver: last.nextCursor === null,
  };
}
