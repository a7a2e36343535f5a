import type { PriceQuote } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { CompanyField } from '../companies/company-field.tsx';
import styles from './prices.module.css';
import { usePricesText } from './text.ts';

type Fields = Record<string, FormDataEntryValue>;
type Answer = PriceQuote & { quantity: string };

/** What a quantity would cost, line by line, by the price that is in effect now or on a day. */
export function Calculator() {
  const t = usePricesText();
  const words = useListsText();
  const [companyId, setCompanyId] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { submit, isPending, errors, message } = useSubmit(
    async (fields: Fields) => {
      const query = toQuery({ ...fields, companyId });
      return { ...(await paydesk().operator.prices.quote(query)), quantity: query.quantity };
    },
    { onDone: setAnswer },
  );
  return (
    <Card title={t('calculator')} description={t('calculatorText')}>
      <div className={styles.parts}>
        <Form
          errors={errors}
          message={message}
          onSubmit={(fields) => void submit(fields)}
          actions={
            <Button type="submit" pending={isPending}>
              {t('calculate')}
            </Button>
          }
        >
          <FieldRow>
            <TextField label={words('words.path')} name="path" required autoComplete="off" />
            <TextField
              label={words('words.quantity')}
              name="quantity"
              required
              inputMode="numeric"
              autoComplete="off"
            />
            <TextField label={words('words.currency')} name="currency" required defaultValue="USD" autoComplete="off" />
          </FieldRow>
          <FieldRow>
            <CompanyField onChange={setCompanyId} error={errors.companyId} isOptional />
            <TextField label={t('onDay')} name="at" type="date" description={t('onDayText')} />
          </FieldRow>
        </Form>
        <div role="status">{answer === null ? null : <Quote answer={answer} />}</div>
      </div>
    </Card>
  );
}

function Quote({ answer }: { answer: Answer }) {
  const t = usePricesText();
  const words = useListsText();
  const format = useFormat();
  const { amount, currency, lines, priceId, quantity } = answer;
  if (priceId === null) return <Banner tone="warning">{t('noPrice')}</Banner>;
  return (
    <>
      <Banner tone="info">
        {t('costs', { quantity: format.number(quantity), amount: format.unitAmount(amount, currency) })}
      </Banner>
      {lines.length < 2 ? null : (
        <Table caption={t('calculator')}>
          <thead>
            <tr>
              <Th align="end">{words('words.quantity')}</Th>
              <Th align="end">{t('unit')}</Th>
              <Th align="end">{words('words.amount')}</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <TableRow key={`${line.quantity} ${line.unitAmount} ${line.amount}`}>
                <Td label={words('words.quantity')} numeric>
                  {format.number(line.quantity)}
                </Td>
                <Td label={t('unit')} numeric>
                  {format.unitAmount(line.unitAmount, currency)}
                </Td>
                <Td label={words('words.amount')} numeric>
                  {format.unitAmount(line.amount, currency)}
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

function toQuery(fields: Fields) {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const [companyId, at] = [text('companyId'), text('at')];
  return {
    path: text('path'),
    quantity: text('quantity'),
    currency: text('currency').toUpperCase(),
    ...(companyId === '' ? {} : { companyId }),
    ...(at === '' ? {} : { at }),
  };
}
