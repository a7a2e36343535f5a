import type { SellerBody } from '@paydesk/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFailure } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import styles from './seller.module.css';
import { useSellerText } from './text.ts';

/** The sample as an address of this page; the errors of the fields, and what else has failed. */
type Preview = { url: string | null; errors: Record<string, string>; message: string | undefined };

/** Draws a sample invoice with these details after each change. An answer to details that have changed since is dropped. */
export function useSellerPreview(body: SellerBody, isEnabled: boolean): Preview {
  const failureOf = useFailure();
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['seller-preview', body],
    queryFn: async ({ signal }) =>
      new Blob([await paydesk().operator.seller.preview(body, { signal })], { type: 'application/pdf' }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const failure = error === null || isPlaceholderData ? { errors: {} } : failureOf(error);
  return { url: useBlobUrl(data), errors: failure.errors, message: failure.message };
}

/** The address of the newest sample; it stays while details are refused. */
function useBlobUrl(newest: Blob | undefined): string | null {
  const [blob, setBlob] = useState(newest);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => setBlob((last) => newest ?? last), [newest]);
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

/** The sample beside the form. A browser that shows no PDF in a page gets it as a file. */
export function SellerPreview({ preview: { url, message } }: { preview: Preview }) {
  const t = useSellerText();
  const isShown = navigator.pdfViewerEnabled;
  const open = isShown ? { target: '_blank', rel: 'noreferrer' } : { download: 'sample-invoice.pdf' };
  return (
    <Card
      title={t('preview')}
      description={t('previewText')}
      actions={
        url === null ? null : (
          <a href={url} {...open} className={buttonClass({ size: 'small' })}>
            {t('openPreview')}
          </a>
        )
      }
    >
      {message === undefined ? null : <Banner tone="danger">{message}</Banner>}
      {!isShown ? (
        <p>{t('notShown')}</p>
      ) : url === null ? (
        <div className={styles.paper} aria-busy={message === undefined} />
      ) : (
        <iframe src={`${url}#toolbar=0&navpanes=0&view=FitH`} title={t('preview')} className={styles.paper} />
      )}
    </Card>
  );
}
