import { isPaydeskError } from '@paydesk/client';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../ui/error-state/error-state.tsx';
import { loadNewDeployment, reload } from './deployments.ts';
import { Page } from './page.tsx';
import { useShellText } from './text.ts';

/** A page that could not be shown: what the service said, or that the page itself is broken. */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useShellText();
  const router = useRouter();
  const refusal = isPaydeskError(error) ? error : null;
  const title = refusal?.status === 404 ? t('notFound.title') : t('error.title');
  const isBroken = refusal === null;
  useEffect(() => {
    if (isBroken) void loadNewDeployment();
  }, [isBroken]);
  const retry = () => {
    if (isBroken) return void reload();
    reset();
    void router.invalidate();
  };
  return (
    <Page title={title}>
      <ErrorState
        title={t('error.heading')}
        message={refusal?.message ?? t('error.message')}
        requestId={refusal?.requestId ?? undefined}
        requestIdLabel={t('requestId')}
        retryLabel={t('retry')}
        onRetry={retry}
      />
    </Page>
  );
}
