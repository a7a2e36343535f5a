import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button/button.tsx';
import { Checkbox } from '../ui/checkbox/checkbox.tsx';
import { Popover } from '../ui/popover/popover.tsx';
import styles from './list-page.module.css';
import { useListsText } from './text.ts';
import type { Column } from './types.ts';

/** Returns the columns that the reader has chosen, in the table's order. The choice stays in this browser. */
export function useShownColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const key = `paydesk.columns.${name}`;
  const [chosen, setChosen] = useState<string[] | null>(() => readChoice(key));
  const isShown = ({ id, isOptional }: Column<Row>, index: number) =>
    index === 0 || (chosen === null ? isOptional !== true : chosen.includes(id));
  const shown = columns.filter(isShown);
  const choose = (id: string, isChosen: boolean) => {
    const ids = shown.map((column) => column.id).filter((one) => one !== id);
    const next = isChosen ? [...ids, id] : ids;
    localStorage.setItem(key, next.join(' '));
    setChosen(next);
  };
  return { shown, choose };
}

function readChoice(key: string): string[] | null {
  return localStorage.getItem(key)?.split(' ') ?? null;
}

type Props<Row> = {
  columns: readonly Column<Row>[];
  shown: readonly Column<Row>[];
  onChoose: (id: string, isChosen: boolean) => void;
};

/** The choice of columns. The first one names the row and always stays. */
export function ChooseColumns<Row>({ columns, shown, onChoose }: Props<Row>) {
  const t = useListsText();
  return (
    <Popover
      title={t('columns')}
      trigger={
        <Button variant="quiet" size="small" icon={<Columns3 aria-hidden="true" />}>
          {t('columns')}
        </Button>
      }
    >
      <div className={styles.columns}>
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.id}
            label={column.header}
            checked={shown.includes(column)}
            onChange={(isChosen) => onChoose(column.id, isChosen)}
          />
        ))}
      </div>
    </Popover>
  );
}
