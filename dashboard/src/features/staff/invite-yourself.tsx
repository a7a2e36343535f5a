import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { useStaffText } from './text.ts';

/** Leads whoever has logged in to the console with a key to a login of their own. */
export function InviteYourself() {
  const t = useStaffText();
  if (useSession()?.operatorRole == null) return null;
  return (
    <Link to="/console/staff" className={buttonClass()}>
      {t('inviteYourself')}
    </Link>
  );
}
