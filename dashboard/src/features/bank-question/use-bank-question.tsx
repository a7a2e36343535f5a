import { type ReactNode, useState } from 'react';
import { useFormsText } from '../../forms/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useBankQuestionText } from './text.ts';

/** What the holder answers; null when the question is closed without an answer. */
type Answer = 'succeed' | 'fail' | null;

type Asked = { text: string; answer: (outcome: Answer) => void };

/** Asks in place of a bank, while the sandbox is the gateway. `question` is the dialog, where the caller shows it. */
export function useBankQuestion(): { ask: (text: string) => Promise<Answer>; question: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (text: string) =>
    new Promise<Answer>((resolve) => {
      const answer = (outcome: Answer) => {
        setAsked(null);
        resolve(outcome);
      };
      setAsked({ text, answer });
    });
  return { ask, question: asked === null ? null : <Question asked={asked} /> };
}

function Question({ asked: { text, answer } }: { asked: Asked }) {
  const t = useBankQuestionText();
  const forms = useFormsText();
  return (
    <Dialog
      open
      onClose={() => answer(null)}
      title={t('title')}
      size="small"
      description={text}
      closeLabel={forms('close')}
      footer={
        <>
          <Button onClick={() => answer('fail')}>{t('refuse')}</Button>
          <Button variant="primary" onClick={() => answer('succeed')}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <Banner tone="info">{t('sandbox')}</Banner>
    </Dialog>
  );
}
