import { useQueryClient } from '@tanstack/react-query';
import { useSubmit } from '../../forms/use-submit.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import { useMethodsText } from './text.ts';

/** Changes a saved method or address, says so, and reads the list again. */
export function useChange(queryKey: string) {
  const t = useMethodsText();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useSubmit(
    async ({ change, done }: { change: () => Promise<unknown>; done: string }) => {
      await change();
      await queryClient.invalidateQueries({ queryKey: [queryKey] });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
      return done;
    },
    {
      onDone: (title) => void toast.add({ title }),
      onFailure: ({ message, errors }) =>
        void toast.add({
          title: t('notChanged'),
          description: message ?? Object.values(errors).join(' '),
          tone: 'danger',
        }),
    },
  );
}
