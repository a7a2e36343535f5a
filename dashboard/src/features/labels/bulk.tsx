import type { Label } from '@paydesk/client';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import type { BulkOptions } from '../../lists/bulk/bulk.ts';
import { LabelTag } from './label-tag.tsx';
import styles from './labels.module.css';
import { useLabelsText } from './text.ts';

/** As many as a request of the API takes. */
const SIZE = 1_000;

/** What can be done with several labels at once, if the role may change them. */
export function useLabelsBulk(): BulkOptions<Label> | undefined {
  const t = useLabelsText();
  const may = useMay();
  if (!may('application.labels.all')) return undefined;
  return {
    nameOf: ({ name }) => name,
    actions: [
      {
        id: 'delete',
        label: t('deleteChosen'),
        title: (count) => t('deleteMany', { count }),
        tone: 'danger',
        preview: (labels) => (
          <>
            <p className={styles.tags}>
              {labels.map((label) => (
                <LabelTag key={label.id} label={label} />
              ))}
            </p>
            <p>{t('deleteManyText')}</p>
          </>
        ),
        size: SIZE,
        run: (ids, options) => paydesk().labels.delete({ label_ids: [...ids] }, options),
      },
    ],
  };
}
