import { useQueryClient } from '@tanstack/react-query';
import { useSubmit } from '../../forms/use-submit.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

/** Returns what is done with an endpoint at once, with its outcome as a toast. */
export function useEndpointActions(owner: Owner, id: string) {
  const t = useWebhooksText();
  const toast = useToast();
  const queries = useQueryClient();
  const outcome = (title: string) => ({
    onDone: () => {
      toast.add({ title });
      void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
    },
    onFailure: ({ message }: { message?: string }) => void toast.add({ title: message ?? '', tone: 'danger' }),
  });
  const testing = useSubmit((_: undefined, options) => endpointsOf(owner).test(id, options), outcome(t('tested')));
  const enabling = useSubmit(
    (_: undefined, options) => endpointsOf(owner).update(id, { status: 'enabled' }, options),
    outcome(t('enabled')),
  );
  return { test: () => void testing.submit(undefined), enable: () => void enabling.submit(undefined) };
}
