import { useState } from 'react';
import { brandOf, groupCardNumber, writeExpiry } from '../../../format/card.ts';
import { FieldRow } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import styles from '../payment-methods.module.css';
import { useMethodsText } from '../text.ts';

type Props = {
  /** Their names in the form, which are those of the API. */
  names: { name: string; number: string; expiry: string; code: string };
};

/** What stands on a card. Its number and code are in the fields alone, and gone with them. */
export function TypedFields({ names }: Props) {
  const t = useMethodsText();
  const [number, setNumber] = useState('');
  const [expiry, setExpiry] = useState('');
  const brand = brandOf(number);
  return (
    <>
      <TextField label={t('card.name')} name={names.name} autoComplete="cc-name" required />
      <TextField
        label={t('card.number')}
        name={names.number}
        autoComplete="cc-number"
        inputMode="numeric"
        required
        value={number}
        onChange={(typed) => setNumber(groupCardNumber(typed))}
        suffix={brand === null ? undefined : <span className={styles.brand}>{brand}</span>}
      />
      <FieldRow>
        <TextField
          label={t('card.expiry')}
          name={names.expiry}
          autoComplete="cc-exp"
          inputMode="numeric"
          required
          value={expiry}
          onChange={(typed) => setExpiry(writeExpiry(typed, expiry))}
        />
        <TextField
          label={t('card.code')}
          name={names.code}
          autoComplete="cc-csc"
          inputMode="numeric"
          maxLength={4}
          required
        />
      </FieldRow>
    </>
  );
}
