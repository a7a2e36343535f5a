import { ArrowLeft } from 'lucide-react';
import { leaveView, useSession } from '../api/session.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { Banner } from '../ui/banner/banner.tsx';
import { Button } from '../ui/button/button.tsx';
import styles from './layout.module.css';
import { serviceFacts } from './service-facts.ts';
import { useShellText } from './text.ts';

/** What holds for every page: that no real money moves, and that the operator looks at a company. */
export function Notices() {
  const t = useShellText();
  const session = useSession();
  return (
    <div className={styles.notices}>
      {session?.kind === 'view' ? <ViewNotice company={session.name} /> : null}
      {session?.returnUrl == null ? null : (
        <p className={styles.returning}>
          <a href={session.returnUrl}>
            <ArrowLeft aria-hidden="true" className={styles.icon} />{' '}
            {t('returnTo', { site: new URL(session.returnUrl).host })}
          </a>
        </p>
      )}
      {serviceFacts().isSandbox ? <p className={styles.sandbox}>{t('sandbox')}</p> : null}
    </div>
  );
}

/** The operator looks at a company. */
function ViewNotice({ company }: { company: string }) {
  const t = useShellText();
  const { submit, isPending, message } = useSubmit(leaveView);
  return (
    <Banner
      tone="info"
      title={t('viewing', { company })}
      action={
        <Button size="small" pending={isPending} onClick={() => void submit(undefined)}>
          {t('leaveView')}
        </Button>
      }
    >
      {message}
    </Banner>
  );
}
