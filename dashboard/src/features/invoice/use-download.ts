import { useSubmit } from '../../forms/use-submit.ts';
import { saveFile } from '../../lists/save-file.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import { useInvoiceText } from './text.ts';

/** Fetches a PDF with the access token, and saves it. */
export function useDownload() {
  const t = useInvoiceText();
  const toast = useToast();
  return useSubmit(
    async ({ read, name }: { read: () => Promise<Uint8Array<ArrayBuffer>>; name: string }) =>
      saveFile(new Blob([await read()], { type: 'application/pdf' }), name),
    {
      onFailure: ({ message }) => void toast.add({ title: t('downloadFailed'), description: message, tone: 'danger' }),
    },
  );
}
