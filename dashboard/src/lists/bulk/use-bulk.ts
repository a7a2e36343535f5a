import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useFailure } from '../../forms/use-submit.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import { useListsText } from '../text.ts';
import { type Bulk, type BulkAction, keepBulk, readBulk, work } from './bulk.ts';

/** What is told of records that were refused, by their ids. */
type Refusals = ReadonlyMap<string, string>;

/** Runs one bulk action of a list at a time, and goes on with it after a reload. */
export function useBulk<Row>(list: string, actions: readonly BulkAction<Row>[], queryKey: QueryKey) {
  const t = useListsText();
  const toast = useToast();
  const queries = useQueryClient();
  const failureOf = useFailure();
  const by = useSession()?.identity ?? null;
  const [bulk, setBulk] = useState<Bulk | null>(() => readBulk(list, by));
  const [refusals, setRefusals] = useState<Refusals>(new Map());
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  /** Of each try: the first one, and those that repeat what was refused. */
  const [round, setRound] = useState(0);
  const action = actions.find(({ id }) => id === bulk?.action);

  const change = (next: Bulk | null) => {
    keepBulk(list, next);
    setBulk(next);
  };
  const run = async (signal: AbortSignal) => {
    if (bulk === null || action === undefined) return;
    const startedAt = performance.now();
    const refused = new Map<string, string>();
    let now = bulk;
    await work(bulk, action, signal, {
      onDone: (ids) => {
        now = { ...now, done: [...now.done, ...ids] };
        change(now);
        const left = now.ids.length - now.done.length - refused.size;
        const msEach = (performance.now() - startedAt) / (now.done.length - bulk.done.length);
        setSecondsLeft(Math.ceil((msEach * left) / 1_000));
      },
      onFailure: (ids, error) => {
        for (const id of ids) refused.set(id, failureOf(error).message ?? t('bulk.refused'));
        setRefusals(new Map(refused));
      },
    });
    if (signal.aborted) return;
    void queries.invalidateQueries({ queryKey });
    if (refused.size > 0) return;
    change(null);
    toast.add({ title: t('bulk.done', { action: action.label, count: now.ids.length }) });
  };
  const latestRun = useRef(run);
  latestRun.current = run;

  const bulkId = bulk?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round of a bulk action runs once; the rest is read when it begins.
  useEffect(() => {
    const leaving = new AbortController();
    void latestRun.current(leaving.signal);
    return () => leaving.abort();
  }, [bulkId, round]);

  const start = ({ id: name }: BulkAction<Row>, ids: readonly string[]) => {
    setRefusals(new Map());
    setSecondsLeft(null);
    change({ id: crypto.randomUUID(), by, action: name, ids, done: [] });
  };
  const retry = () => {
    setRefusals(new Map());
    setSecondsLeft(null);
    setRound(round + 1);
  };
  return { bulk, action, refusals, secondsLeft, start, retry, close: () => change(null) };
}

export type BulkRun<Row> = ReturnType<typeof useBulk<Row>>;
