import type { Alert } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useAlertsText } from './text.ts';

/** Acknowledges an alert that is open. */
export function AcknowledgeButton({ alert: { id, acknowledgedAt } }: { alert: Alert }) {
  const lacksRole = useLacksRole('finance') !== undefined;
  const t = useAlertsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { submit, isPending } = useSubmit(
    (_: undefined, options) => paydesk().operator.alerts.acknowledge(id, options),
    {
      onDone: () =>
        Promise.all(['alerts', 'operator-overview'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
      onFailure: ({ message }) => toast.add({ title: message ?? '', tone: 'danger' }),
    },
  );
  if (acknowledgedAt !== null) return <Badge tone="neutral">{t('states.acknowledged')}</Badge>;
  if (lacksRole) return null;
  return (
    <Button size="small" pending={isPending} onClick={() => void submit(undefined)}>
      {t('acknowledge')}
    </Button>
  );
}
