import { Download } from 'lucide-react';
import { useSubmit } from '../forms/use-submit.ts';
import { Button } from '../ui/button/button.tsx';
import { useToast } from '../ui/toast/toast.tsx';
import { saveFile } from './save-file.ts';
import { useListsText } from './text.ts';
import { type ListSearch, useListSearch } from './use-list-search.ts';

export type CsvFile = {
  fileName: string;
  /** Reads the whole list as CSV, with these filters. */
  read: (search: ListSearch['search']) => Promise<string>;
  /** Why there is no file yet. */
  disabledReason?: string;
};

/** Fetches the list with the access token, and saves it. */
export function CsvButton({ fileName, read, disabledReason }: CsvFile) {
  const t = useListsText();
  const toast = useToast();
  const { search } = useListSearch();
  const { submit, isPending } = useSubmit(
    async () => {
      const text = await read({ ...search, page: undefined, perPage: undefined, cursor: undefined });
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), fileName);
    },
    { onFailure: ({ message }) => toast.add({ title: t('failed'), description: message, tone: 'danger' }) },
  );
  return (
    <Button
      icon={<Download aria-hidden="true" />}
      pending={isPending}
      disabledReason={disabledReason}
      onClick={() => void submit(undefined)}
    >
      {t('csv')}
    </Button>
  );
}
