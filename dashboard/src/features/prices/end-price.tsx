import type { Price } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { usePricesText } from './text.ts';

/** Ends a price at the beginning of a day, without a version that follows. */
export function EndPrice({ price: { id } }: { price: Price }) {
  const t = usePricesText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { submit, isPending, errors, message } = useSubmit(
    (day: string, options) => paydesk().operator.prices.end(id, { effectiveTo: `${day}T00:00:00Z` }, options),
    {
      onDone: () => {
        toast.add({ title: t('ended') });
        void queries.invalidateQueries({ queryKey: ['prices'] });
        setIsOpen(false);
      },
    },
  );
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('end')}</Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('end')}
        description={t('endText')}
        closeLabel={forms('close')}
      >
        <Form
          errors={errors}
          message={message}
          onSubmit={({ effectiveTo }) => void submit(String(effectiveTo))}
          actions={
            <Button type="submit" variant="primary" pending={isPending}>
              {t('end')}
            </Button>
          }
        >
          <TextField label={t('until')} name="effectiveTo" type="date" required />
        </Form>
      </Dialog>
    </>
  );
}
