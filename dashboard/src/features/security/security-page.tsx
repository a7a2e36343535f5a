import { useRouterState } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Page } from '../../shell/page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { InviteYourself } from '../staff/invite-yourself.tsx';
import { DeleteSection } from './delete-section.tsx';
import { LinksSection } from './links-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import styles from './security.module.css';
import { SessionsSection } from './sessions-section.tsx';
import { useSecurityText } from './text.ts';
import { TotpSection } from './totp-section.tsx';

/** How somebody logs in, and where they are logged in. */
export function SecurityPage() {
  const t = useSecurityText();
  const user = useSession()?.user ?? null;
  const isLed = useRouterState({ select: ({ location }) => 'demanded' in location.search });
  // Who lacks a second factor that is demanded may do nothing but set one up.
  const isDemanded = user !== null && !user.two_factor && (isLed || user.staff_role !== null);
  if (user === null) {
    return (
      <Page title={t('title')}>
        <EmptyState title={t('nobody.title')} action={<InviteYourself />}>
          {t('nobody.text')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t('title')} description={t('description')}>
      <div className={styles.parts}>
        {isDemanded ? (
          <Banner tone="warning" title={t('demanded.title')}>
            {t('demanded.text')}
          </Banner>
        ) : null}
        {isLed && user.two_factor ? (
          <div role="status">
            <Banner
              tone="success"
              action={<a href={user.staff_role === null ? '/app' : '/console'}>{t('demanded.goOn')}</a>}
            >
              {t('demanded.done')}
            </Banner>
          </div>
        ) : null}
        {isDemanded ? null : <PasswordSection />}
        <TotpSection user={user} />
        <PasskeysSection user={user} />
        {isDemanded ? null : (
          <>
            <SessionsSection />
            <LinksSection />
            <DeleteSection user={user} />
          </>
        )}
      </div>
    </Page>
  );
}
