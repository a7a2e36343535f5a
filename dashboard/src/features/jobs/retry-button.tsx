import { useQueryClient } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useJobsText } from './text.ts';

/** Runs a job now instead of at its next attempt. */
export function RetryButton({ id }: { id: string }) {
  const lacksRole = useLacksRole('finance') !== undefined;
  const t = useJobsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending } = useSubmit((_: undefined, options) => paydesk().operator.jobs.retry(id, options), {
    onDone: () => {
      toast.add({ title: t('retried') });
      void queries.invalidateQueries({ queryKey: ['jobs'] });
    },
    onFailure: ({ message }) => toast.add({ title: message ?? '', tone: 'danger' }),
  });
  if (lacksRole) return null;
  return (
    <Button size="small" pending={isPending} onClick={() => void submit(undefined)}>
      {t('retry')}
    </Button>
  );
}
