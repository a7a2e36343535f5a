import { useSession } from '../api/session.ts';
import { Banner } from '../ui/banner/banner.tsx';
import styles from './layout.module.css';
import { serviceFacts } from './service-facts.ts';
import { useShellText } from './text.ts';

/** What holds for every page: that no real money moves, and that the operator looks at a company. */
export function Notices() {
  const t = useShellText();
  const session = useSession();
  return (
    <div className={styles.notices}>
      {session?.kind === 'view' ? <Banner tone="info" title={t('viewing', { company: session.name })} /> : null}
      {serviceFacts().isSandbox ? <p className={styles.sandbox}>{t('sandbox')}</p> : null}
    </div>
  );
}
