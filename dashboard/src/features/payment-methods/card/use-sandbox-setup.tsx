import type { CreateCardSetupBody, CreatedCardSetup, SandboxSetupBody } from '@paydesk/client';
import { type ReactNode, useRef } from 'react';
import { paydesk } from '../../../api/session.ts';
import { FormError } from '../../../forms/use-submit.ts';
import { useBankQuestion } from '../../bank-question/use-bank-question.tsx';
import { useMethodsText } from '../text.ts';

type Asked = {
  method: NonNullable<CreateCardSetupBody['method']>;
  /** The number of the card or the account: another one has a setup of its own. */
  number: string;
  /** What is typed into the fields. */
  typed: Pick<SandboxSetupBody, 'card' | 'sepaDebit' | 'mandateAccepted'>;
  key: string;
};

/** Confirms setups in the sandbox, whose bank may ask. `question` is its dialog, where the caller shows it. */
export function useSandboxSetup(): { confirm: (asked: Asked) => Promise<{ setupId: string }>; question: ReactNode } {
  const t = useMethodsText();
  const begun = useRef<{ setup: CreatedCardSetup; number: string } | null>(null);
  const { ask, question } = useBankQuestion();

  /** Goes on with the setup of the try before, unless it was for another number. */
  const begin = async ({ method, number, key }: Asked): Promise<CreatedCardSetup> => {
    if (begun.current?.number === number) {
      const { setup } = begun.current;
      const { status } = await paydesk().cardSetups.get(setup.id);
      if (status !== 'expired' && status !== 'used') return { ...setup, status };
    }
    // A repeat after a lost answer is the same request; another number of the same try is another one.
    const idempotencyKey = `${key}-${number.slice(-4)}-${begun.current === null ? 'first' : 'next'}`;
    const setup = await paydesk().cardSetups.create({ method }, { idempotencyKey });
    begun.current = { setup, number };
    return setup;
  };

  const confirm = async (asked: Asked) => {
    const setup = await begin(asked);
    const { id: setupId, clientSecret } = setup;
    let { status } = setup;
    if (status === 'requires_payment_method') {
      status = (await paydesk().sandbox.confirmSetup({ clientSecret, ...asked.typed } as SandboxSetupBody)).status;
    }
    if (status === 'requires_action') {
      const outcome = await ask(t('card.question'));
      if (outcome === null) throw new FormError(t('card.notConfirmed'));
      const answer = await paydesk().sandbox.answerChallenge({ clientSecret, outcome });
      if (answer.status === 'failed') throw new FormError(t('card.confirmationRefused'));
    }
    return { setupId };
  };
  return { confirm, question };
}
