import { type Ref, useImperativeHandle } from 'react';
import { readExpiry } from '../../../format/card.ts';
import { FormError } from '../../../forms/use-submit.ts';
import { useMethodsText } from '../text.ts';
import type { CardFieldsHandle } from './take-card.ts';
import { TypedFields } from './typed-fields.tsx';

const NAMES = { name: 'info.cardName', number: 'info.cardNumber', expiry: 'info.expMonth', code: 'info.cvv' };

/** A card by its number, which the API passes on to the gateway. */
export function NumberFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  const t = useMethodsText();
  useImperativeHandle(ref, () => ({
    take: async (fields, { country }) => {
      const text = (name: string) => String(fields[name] ?? '');
      const expiry = readExpiry(text(NAMES.expiry));
      if (expiry === null) throw new FormError(t('card.wrongExpiry'), NAMES.expiry);
      const [cardName, cardNumber, cvv] = [text(NAMES.name), text(NAMES.number), text(NAMES.code)];
      return { info: { cardName, cardNumber, cvv, country, ...expiry } };
    },
  }));
  return <TypedFields names={NAMES} />;
}
