import { useSession } from '../../api/session.ts';
import { Page } from '../../shell/page.tsx';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { InviteYourself } from '../staff/invite-yourself.tsx';
import { EmailForm } from './email-form.tsx';
import styles from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';
import { useProfileText } from './text.ts';

/** Who is logged in: a member of a company, or one of the staff. */
export function ProfilePage() {
  const t = useProfileText();
  const user = useSession()?.user ?? null;
  return (
    <Page title={t('title')} description={user === null ? undefined : t('description')}>
      {user === null ? (
        <EmptyState title={t('nobody.title')} action={<InviteYourself />}>
          {t('nobody.text')}
        </EmptyState>
      ) : (
        <div className={styles.parts}>
          <ProfileForm user={user} />
          <EmailForm user={user} />
        </div>
      )}
    </Page>
  );
}
