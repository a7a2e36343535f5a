import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { usePricesText } from './text.ts';

type Answer = { quantity: string; amount: string; currency: string };

/** What a quantity would cost by the price that is in effect now. */
export function Calculator() {
  const t = usePricesText();
  const words = useListsText();
  const format = useFormat();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { submit, isPending, errors, message } = useSubmit(
    async (query: { path: string; quantity: string; currency: string }) => ({
      ...(await paydesk().operator.prices.quote(query as never)),
      quantity: query.quantity,
    }),
    { onDone: setAnswer },
  );
  return (
    <Card title={t('calculator')} description={t('calculatorText')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ path, quantity, currency }) =>
          void submit({ path: String(path), quantity: String(quantity), currency: String(currency).toUpperCase() })
        }
        actions={
          <Button type="submit" pending={isPending}>
            {t('calculate')}
          </Button>
        }
      >
        <FieldRow>
          <TextField label={words('words.path')} name="path" required autoComplete="off" />
          <TextField label={words('words.quantity')} name="quantity" required inputMode="numeric" autoComplete="off" />
          <TextField label={words('words.currency')} name="currency" required defaultValue="USD" autoComplete="off" />
        </FieldRow>
      </Form>
      <div role="status">
        {answer === null ? null : (
          <Banner tone="info">
            {t('costs', {
              quantity: format.number(answer.quantity),
              amount: format.unitAmount(answer.amount, answer.currency),
            })}
          </Banner>
        )}
      </div>
    </Card>
  );
}
