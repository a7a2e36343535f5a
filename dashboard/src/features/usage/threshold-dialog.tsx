import { useQueryClient } from '@tanstack/react-query';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useUsageText } from './text.ts';
import { keyOf, thresholdsOf } from './threshold-owner.ts';

/** Adds a threshold of usage. */
export function ThresholdDialog({ companyId, onClose }: { companyId?: string; onClose: () => void }) {
  const t = useUsageText();
  const queryClient = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ path, quantity }: { path: string; quantity: string }, options) => {
      await thresholdsOf(companyId).create({ ...(path === '' ? {} : { path }), quantity }, options);
      await queryClient.invalidateQueries({ queryKey: keyOf(companyId) });
    },
    { onDone: onClose },
  );
  return (
    <Dialog open onClose={onClose} title={t('thresholds.add')} closeLabel={t('thresholds.close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={({ path, quantity }) => void submit({ path: String(path).trim(), quantity: String(quantity).trim() })}
        actions={
          <>
            <Button type="submit" variant="primary" pending={isPending}>
              {t('thresholds.add')}
            </Button>
            <Button onClick={onClose}>{t('thresholds.cancel')}</Button>
          </>
        }
      >
        <TextField label={t('thresholds.quantity')} name="quantity" inputMode="numeric" required />
        <TextField label={t('path')} name="path" description={t('thresholds.pathHint')} placeholder="/v1/*" />
      </Form>
    </Dialog>
  );
}
