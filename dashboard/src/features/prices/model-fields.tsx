import type { Price } from '@paydesk/client';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { FieldRow } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './prices.module.css';
import { usePricesText } from './text.ts';

const MODELS = ['flat', 'package', 'graduated', 'volume'] as const;
type Model = (typeof MODELS)[number];

/** How a price counts, and what it asks. The names are the API's, by which its errors find the fields. */
export function ModelFields({ previous }: { previous?: Price }) {
  const t = usePricesText();
  const [model, setModel] = useState<Model>(previous?.model ?? 'flat');
  return (
    <>
      <Select
        label={t('model')}
        name="model"
        description={t(`modelTexts.${model}`)}
        value={model}
        onChange={(value) => setModel(value as Model)}
        options={MODELS.map((value) => ({ value, label: t(`models.${value}`) }))}
      />
      {model === 'flat' ? (
        <TextField
          {...{ label: t('unitAmount'), name: 'unitAmount', defaultValue: previous?.unitAmount }}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      ) : model === 'package' ? (
        <FieldRow>
          <TextField
            {...{ label: t('packageAmount'), name: 'packageAmount', defaultValue: previous?.packageAmount }}
            inputMode="decimal"
            autoComplete="off"
            required
          />
          <TextField
            {...{ label: t('packageSize'), name: 'packageSize', defaultValue: previous?.packageSize?.toString() }}
            inputMode="numeric"
            autoComplete="off"
            required
          />
        </FieldRow>
      ) : (
        <Tiers previous={previous} />
      )}
    </>
  );
}

/** The tiers in their order, of which the last one has no end. */
function Tiers({ previous }: { previous?: Price }) {
  const t = usePricesText();
  const given = previous?.tiers ?? [];
  const [ids, setIds] = useState(() => Array.from({ length: Math.max(2, given.length) }, (_, id) => id));
  const last = ids.length - 1;
  return (
    <fieldset className={styles.tiers}>
      <legend>{t('tiersTitle')}</legend>
      {ids.map((id, index) => (
        <div key={id} className={styles.tier}>
          <FieldRow>
            <TextField
              label={t('upTo')}
              name={`tiers[${index}].upTo`}
              inputMode="numeric"
              autoComplete="off"
              defaultValue={given[id]?.upTo?.toString()}
              {...(index === last ? { disabled: true, placeholder: t('noEnd') } : { required: true })}
            />
            <TextField
              label={t('unitAmount')}
              name={`tiers[${index}].unitAmount`}
              inputMode="decimal"
              autoComplete="off"
              defaultValue={given[id]?.unitAmount}
              required
            />
            <TextField
              label={t('flatAmount')}
              name={`tiers[${index}].flatAmount`}
              inputMode="decimal"
              autoComplete="off"
              defaultValue={given[id]?.flatAmount}
            />
          </FieldRow>
          <IconButton
            label={t('removeTier', { number: String(index + 1) })}
            icon={<Trash2 aria-hidden="true" />}
            disabled={ids.length === 1}
            onClick={() => setIds(ids.filter((other) => other !== id))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Plus aria-hidden="true" />}
        onClick={() => setIds([...ids, Math.max(...ids, given.length) + 1])}
      >
        {t('addTier')}
      </Button>
    </fieldset>
  );
}

/** Takes the fields of the model out of a form. */
export function readModel(text: (name: string) => string) {
  const model = text('model') as Model;
  if (model === 'flat') return { model, unitAmount: text('unitAmount') };
  if (model === 'package')
    return { model, packageAmount: text('packageAmount'), packageSize: Number(text('packageSize')) };
  const tiers = [];
  for (let index = 0; text(`tiers[${index}].unitAmount`) !== ''; index += 1) {
    const [upTo, flatAmount] = [text(`tiers[${index}].upTo`), text(`tiers[${index}].flatAmount`)];
    tiers.push({
      upTo: upTo === '' ? null : Number(upTo),
      unitAmount: text(`tiers[${index}].unitAmount`),
      ...(flatAmount === '' ? {} : { flatAmount }),
    });
  }
  return { model, tiers };
}
