import type { InvoiceLink } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Secret } from '../../ui/secret/secret.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import type { ShareLinkProps } from './share-link.tsx';
import { useInvoiceLinkText } from './text.ts';

type Props = ShareLinkProps & { onClose: () => void };

/** The link of an invoice, which is made when it is first asked for; it can be replaced and revoked. */
export function LinkDialog({ invoice: { id, number }, link, disabledReason, onClose }: Props) {
  const t = useInvoiceLinkText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'replace' | 'revoke' | null>(null);
  const queryKey = ['invoice-link', id];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => readLink(link, id, signal) });
  const change = useSubmit(
    async (kind: 'create' | 'replace' | 'revoke', options) => {
      queries.setQueryData(
        queryKey,
        kind === 'revoke' ? await link.revoke(id).then(() => null) : await link.replace(id, options),
      );
      return kind;
    },
    {
      onDone: (kind) => {
        setAsked(null);
        toast.add({ title: t(kind === 'revoke' ? 'wasRevoked' : 'created') });
      },
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('title', { number })}
      description={t('text')}
      closeLabel={forms('close')}
      footer={
        data === undefined ? undefined : data === null ? (
          <Button
            variant="primary"
            pending={change.isPending}
            disabledReason={disabledReason}
            onClick={() => void change.submit('create')}
          >
            {t('create')}
          </Button>
        ) : (
          <>
            <Button disabledReason={disabledReason} onClick={() => setAsked('revoke')}>
              {t('revoke')}
            </Button>
            <Button disabledReason={disabledReason} onClick={() => setAsked('replace')}>
              {t('replace')}
            </Button>
          </>
        )
      }
    >
      {error !== null ? (
        <LoadFailed error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : data === null ? (
        <Banner tone="info">{t('revoked')}</Banner>
      ) : (
        <Shown link={data} />
      )}
      {asked === null ? null : (
        <ConfirmDialog
          open
          size="small"
          tone="danger"
          title={`${t(asked)}?`}
          confirmLabel={t(asked)}
          cancelLabel={forms('cancel')}
          closeLabel={forms('close')}
          pending={change.isPending}
          error={change.message}
          onClose={() => setAsked(null)}
          onConfirm={() => void change.submit(asked)}
        >
          <p>{t(`${asked}Text`, { number })}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

function Shown({ link: { url, expiresAt } }: { link: InvoiceLink }) {
  const t = useInvoiceLinkText();
  return (
    <>
      <Secret label={t('address')} text={url} copyLabel={t('copy')} copiedLabel={t('copied')} />
      <p>
        {t('until')} <Instant value={expiresAt} as="date" />
      </p>
    </>
  );
}

/** Null when it was revoked. */
async function readLink(link: Props['link'], id: string, signal: AbortSignal): Promise<InvoiceLink | null> {
  try {
    return await link.get(id, { signal });
  } catch (error) {
    if (isPaydeskError(error) && error.status === 404) return null;
    throw error;
  }
}
