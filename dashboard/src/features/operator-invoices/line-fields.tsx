import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './create-invoice.module.css';
import { useOperatorInvoicesText } from './text.ts';

/** A line as somebody types it. */
export type DraftLine = { id: number; title: string; quantity: string; amount: string };

export const NEW_LINE: DraftLine = { id: 0, title: '', quantity: '1', amount: '' };

type Props = { lines: DraftLine[]; onChange: (lines: DraftLine[]) => void };

/** The lines of an invoice. The focus goes to a line that is added, and to the one before a line that is removed. */
export function LineFields({ lines, onChange }: Props) {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const area = useRef<HTMLFieldSetElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    if (focused === null) return;
    area.current?.querySelector<HTMLElement>(`[name="${CSS.escape(focused)}"]`)?.focus();
    setFocused(null);
  }, [focused]);
  const change = (id: number, values: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...values } : line)));
  const add = () => {
    onChange([...lines, { ...NEW_LINE, id: Math.max(...lines.map(({ id }) => id)) + 1 }]);
    setFocused(nameOf(lines.length, 'title'));
  };
  const remove = (index: number) => {
    onChange(lines.toSpliced(index, 1));
    setFocused(nameOf(Math.max(0, index - 1), 'title'));
  };
  return (
    <fieldset className={styles.lines} ref={area}>
      <legend>{t('lines')}</legend>
      {lines.map(({ id, title, quantity, amount }, index) => (
        <div key={id} className={styles.line}>
          <TextField
            label={t('line')}
            name={nameOf(index, 'title')}
            value={title}
            onChange={(value) => change(id, { title: value })}
            required
            autoComplete="off"
          />
          <TextField
            label={words('words.quantity')}
            name={nameOf(index, 'totalRequest')}
            value={quantity}
            onChange={(value) => change(id, { quantity: value })}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            label={t('net')}
            name={nameOf(index, 'amount')}
            value={amount}
            onChange={(value) => change(id, { amount: value })}
            inputMode="decimal"
            required
            autoComplete="off"
          />
          <IconButton
            label={t('removeLine', { number: String(index + 1) })}
            icon={<Trash2 aria-hidden="true" />}
            disabled={lines.length === 1}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <Button size="small" icon={<Plus aria-hidden="true" />} onClick={add}>
        {t('addLine')}
      </Button>
    </fieldset>
  );
}

/** The name of the API, by which its errors find the field. */
function nameOf(index: number, field: 'title' | 'totalRequest' | 'amount'): string {
  return `details[${index}].${field}`;
}
