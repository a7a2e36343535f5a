import { type Ref, useImperativeHandle } from 'react';
import { Checkbox } from '../../../ui/checkbox/checkbox.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useMethodsText } from '../text.ts';
import type { CardFieldsHandle } from './take-card.ts';
import { useSandboxSetup } from './use-sandbox-setup.tsx';

/** An account for direct debits in the sandbox's own fields, with the mandate that its holder gives. */
export function SandboxMandateFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  const t = useMethodsText();
  const { confirm, question } = useSandboxSetup();
  useImperativeHandle(ref, () => ({
    take: async (fields, _address, key) => {
      const text = (name: string) => String(fields[`sepaDebit.${name}`] ?? '').trim();
      const iban = text('iban');
      const sepaDebit = { iban, name: text('name'), email: text('email') };
      const mandateAccepted = fields.mandateAccepted !== undefined;
      return confirm({ method: 'sepa_debit', number: iban, typed: { sepaDebit, mandateAccepted }, key });
    },
  }));
  return (
    <>
      <TextField label={t('mandate.holder')} name="sepaDebit.name" autoComplete="name" required />
      <TextField
        label={t('mandate.iban')}
        name="sepaDebit.iban"
        autoComplete="off"
        spellCheck={false}
        placeholder="DE89 3704 0044 0532 0130 00"
        required
      />
      <TextField
        label={t('mandate.email')}
        name="sepaDebit.email"
        type="email"
        description={t('mandate.emailText')}
        autoComplete="email"
        required
      />
      <Checkbox label={t('mandate.accept')} description={t('mandate.text')} name="mandateAccepted" required />
      {question}
    </>
  );
}
