import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Select } from '../../ui/select/select.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useBillingRunsText } from './text.ts';

const MONTHS_SHOWN = 12;

/** Starts a billing run of a month that is over. */
export function StartRun() {
  const t = useBillingRunsText();
  const words = useListsText();
  const forms = useFormsText();
  const format = useFormat();
  const toast = useToast();
  const queries = useQueryClient();
  const reason = useLacksRole('finance');
  const [isOpen, setIsOpen] = useState(false);
  const months = monthsBefore(new Date());
  const [period, setPeriod] = useState(months[0] ?? '');
  const nameOf = (month: string) => format.month(`${month}-01T00:00:00Z`);
  const { submit, isPending, message, errors } = useSubmit(
    (month: string, options) => paydesk().operator.billingRuns.start({ period: month }, options),
    {
      onDone: () => {
        toast.add({ title: t('started') });
        setIsOpen(false);
        void queries.invalidateQueries({ queryKey: ['billing-runs'] });
      },
    },
  );
  return (
    <>
      <Button variant="primary" disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t('start')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('start')}
        confirmLabel={t('start')}
        cancelLabel={forms('cancel')}
        closeLabel={forms('close')}
        pending={isPending}
        error={message ?? Object.values(errors)[0]}
        onConfirm={() => void submit(period)}
      >
        <Select
          label={words('words.month')}
          value={period}
          onChange={setPeriod}
          options={months.map((value) => ({ value, label: nameOf(value) }))}
        />
        <p>{t('startText', { month: nameOf(period) })}</p>
      </ConfirmDialog>
    </>
  );
}

/** The months before this one, the latest first, such as `2026-10`. */
function monthsBefore(now: Date): string[] {
  return Array.from({ length: MONTHS_SHOWN }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - index)).toISOString().slice(0, 7),
  );
}
