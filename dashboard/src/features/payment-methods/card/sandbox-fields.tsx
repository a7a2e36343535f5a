import type { CreatedCardSetup } from '@paydesk/client';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { paydesk } from '../../../api/session.ts';
import { readExpiry } from '../../../format/card.ts';
import { FormError } from '../../../forms/use-submit.ts';
import { useBankQuestion } from '../../bank-question/use-bank-question.tsx';
import { useMethodsText } from '../text.ts';
import type { CardFieldsHandle } from './take-card.ts';
import { TypedFields } from './typed-fields.tsx';

const NAMES = { name: 'card.name', number: 'card.number', expiry: 'card.expMonth', code: 'card.cvv' };

/** A setup that was begun for a number. */
type Begun = { setup: CreatedCardSetup; number: string };

/** A card in the sandbox's own fields, in place of a gateway's script; its bank may ask for a confirmation. */
export function SandboxFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  const t = useMethodsText();
  const begun = useRef<Begun | null>(null);
  const { ask, question } = useBankQuestion();

  /** Goes on with the setup of the try before, unless it was for another card. */
  const begin = async (number: string, key: string): Promise<CreatedCardSetup> => {
    if (begun.current?.number !== number) {
      const setup = await paydesk().cardSetups.create({}, { idempotencyKey: `${key}-setup-${number.slice(-4)}` });
      begun.current = { setup, number };
      return setup;
    }
    const { setup } = begun.current;
    const { status } = await paydesk().cardSetups.get(setup.id);
    if (status !== 'expired' && status !== 'used') return { ...setup, status };
    begun.current = null;
    return begin(number, crypto.randomUUID());
  };

  useImperativeHandle(ref, () => ({
    take: async (fields, { country }, key) => {
      const text = (name: string) => String(fields[name] ?? '');
      const expiry = readExpiry(text(NAMES.expiry));
      if (expiry === null) throw new FormError(t('card.wrongExpiry'), NAMES.expiry);
      const [name, number, cvv] = [text(NAMES.name), text(NAMES.number), text(NAMES.code)];
      const setup = await begin(number, key);
      const { id: setupId, clientSecret } = setup;
      let { status } = setup;
      if (status === 'requires_payment_method') {
        const card = { name, number, cvv, country, ...expiry };
        status = (await paydesk().sandbox.confirmSetup({ clientSecret, card })).status;
      }
      if (status === 'requires_action') {
        const outcome = await ask(t('card.question'));
        if (outcome === null) throw new FormError(t('card.notConfirmed'));
        const answer = await paydesk().sandbox.answerChallenge({ clientSecret, outcome });
        if (answer.status === 'failed') throw new FormError(t('card.confirmationRefused'));
      }
      return { setupId };
    },
  }));
  return (
    <>
      <TypedFields names={NAMES} />
      {question}
    </>
  );
}
