import { useState } from 'react';
import { useFormat } from '../../format/format.ts';
import { useFormsText } from '../../forms/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Progress } from '../../ui/progress/progress.tsx';
import { useListsText } from '../text.ts';
import styles from './bulk.module.css';
import type { BulkAction } from './bulk.ts';
import type { BulkRun } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

type Props<Row> = {
  actions: readonly BulkAction<Row>[];
  run: BulkRun<Row>;
  selection: Selection<Row>;
  /** Names a record of which only the id is left, after a reload. */
  nameOf: (id: string) => string;
};

/** What can be done with the chosen rows; while it is done, how far it is; then what was refused. */
export function BulkBar<Row>({ actions, run, selection, nameOf }: Props<Row>) {
  const { bulk, action } = run;
  if (bulk !== null && action !== undefined) {
    const isOver = bulk.done.length + run.refusals.size === bulk.ids.length;
    return <div className={styles.bar}>{isOver ? <Refused {...{ run, nameOf }} /> : <Running run={run} />}</div>;
  }
  if (selection.rows.size === 0) return null;
  return <Choice {...{ actions, run, selection }} />;
}

function Running<Row>({ run: { bulk, action, refusals, secondsLeft } }: { run: BulkRun<Row> }) {
  const t = useListsText();
  const total = bulk?.ids.length ?? 0;
  const format = useFormat();
  const tried = (bulk?.done.length ?? 0) + refusals.size;
  const counts = t('bulk.progress', { done: format.number(tried), total: format.number(total) });
  return (
    <Progress
      label={action?.label ?? ''}
      value={tried}
      max={total}
      detail={secondsLeft === null ? counts : `${counts}, ${t('bulk.left', { seconds: secondsLeft })}`}
    />
  );
}

function Refused<Row>({ run, nameOf }: Pick<Props<Row>, 'run' | 'nameOf'>) {
  const t = useListsText();
  const forms = useFormsText();
  return (
    <Banner
      tone="danger"
      title={t('bulk.failed', { action: run.action?.label ?? '', count: run.refusals.size })}
      action={
        <>
          <Button size="small" onClick={run.retry}>
            {t('retry')}
          </Button>
          <Button size="small" variant="quiet" onClick={run.close}>
            {forms('close')}
          </Button>
        </>
      }
    >
      <ul>
        {[...run.refusals].map(([id, reason]) => (
          <li key={id}>
            <strong>{nameOf(id)}</strong>: {reason}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function Choice<Row>({ actions, run, selection }: Pick<Props<Row>, 'actions' | 'run' | 'selection'>) {
  const t = useListsText();
  const forms = useFormsText();
  const [chosen, setChosen] = useState<BulkAction<Row> | null>(null);
  const count = selection.rows.size;
  const start = (action: BulkAction<Row>) => {
    setChosen(null);
    selection.clear();
    run.start(action, [...selection.rows.keys()]);
  };
  return (
    <section className={styles.bar} aria-label={t('bulk.selected', { count })}>
      <p className={styles.count}>{t('bulk.selected', { count })}</p>
      {actions.map((action) => (
        <Button key={action.id} size="small" variant={action.tone} onClick={() => setChosen(action)}>
          {action.label}
        </Button>
      ))}
      <Button size="small" variant="quiet" onClick={selection.clear}>
        {t('bulk.clear')}
      </Button>
      {chosen === null ? null : (
        <ConfirmDialog
          open
          onClose={() => setChosen(null)}
          title={chosen.title(count)}
          confirmLabel={chosen.label}
          cancelLabel={forms('cancel')}
          closeLabel={forms('close')}
          tone={chosen.tone}
          pending={false}
          typeToConfirm={
            chosen.tone === 'danger'
              ? { label: t('bulk.typeCount', { count: String(count) }), text: String(count) }
              : undefined
          }
          onConfirm={() => start(chosen)}
        >
          {chosen.preview([...selection.rows.values()])}
        </ConfirmDialog>
      )}
    </section>
  );
}
