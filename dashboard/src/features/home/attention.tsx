import type { Overview, UserProfile } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useHomeText } from './text.ts';

/** What needs somebody, with the way to it; nothing if nothing does. */
export function Attention({ overview: { failed, due }, user }: { overview: Overview; user: UserProfile | null }) {
  const t = useHomeText();
  const overdue = (due ?? []).reduce((sum, { overdueInvoices }) => sum + overdueInvoices, 0);
  const invoices = (state: string, label: string) => (
    <Link
      to="/app/invoices"
      search={state === 'failed' ? { status: 'Failed' } : { state }}
      className={buttonClass({ size: 'small' })}
    >
      {label}
    </Link>
  );
  return (
    <>
      {failed !== null && failed > 0 ? (
        <Banner
          tone="danger"
          title={t('attention.failed', { failed })}
          action={invoices('failed', t('attention.show'))}
        >
          {t('attention.failedText')}
        </Banner>
      ) : null}
      {overdue > (failed ?? 0) ? (
        <Banner
          tone="warning"
          title={t('attention.overdue', { overdue })}
          action={invoices('overdue', t('attention.show'))}
        />
      ) : null}
      {user !== null && !user.email_verified ? <VerifyEmail email={user.email} /> : null}
    </>
  );
}

function VerifyEmail({ email }: { email: string }) {
  const t = useHomeText();
  const toast = useToast();
  const { submit, isPending } = useSubmit(() => paydesk().auth.email.verification(), {
    onDone: () => void toast.add({ title: t('attention.sent', { email }) }),
    onFailure: ({ message }) => void toast.add({ title: t('attention.notSent'), description: message, tone: 'danger' }),
  });
  return (
    <Banner
      tone="warning"
      title={t('attention.verify')}
      action={
        <Button size="small" pending={isPending} onClick={() => void submit(undefined)}>
          {t('attention.send')}
        </Button>
      }
    >
      {t('attention.verifyText', { email })}
    </Banner>
  );
}
