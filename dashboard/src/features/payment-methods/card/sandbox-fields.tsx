import { type Ref, useImperativeHandle } from 'react';
import { readExpiry } from '../../../format/card.ts';
import { FormError } from '../../../forms/use-submit.ts';
import { useMethodsText } from '../text.ts';
import type { CardFieldsHandle } from './take-card.ts';
import { TypedFields } from './typed-fields.tsx';
import { useSandboxSetup } from './use-sandbox-setup.tsx';

const NAMES = { name: 'card.name', number: 'card.number', expiry: 'card.expMonth', code: 'card.cvv' };

/** A card in the sandbox's own fields, in place of a gateway's script; its bank may ask for a confirmation. */
export function SandboxFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  const t = useMethodsText();
  const { confirm, question } = useSandboxSetup();
  useImperativeHandle(ref, () => ({
    take: async (fields, { country }, key) => {
      const text = (name: string) => String(fields[name] ?? '');
      const expiry = readExpiry(text(NAMES.expiry));
      if (expiry === null) throw new FormError(t('card.wrongExpiry'), NAMES.expiry);
      const [name, number, cvv] = [text(NAMES.name), text(NAMES.number), text(NAMES.code)];
      return confirm({ method: 'Card', number, typed: { card: { name, number, cvv, country, ...expiry } }, key });
    },
  }));
  return (
    <>
      <TypedFields names={NAMES} />
      {question}
    </>
  );
}
