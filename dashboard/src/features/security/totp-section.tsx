import type { UserProfile } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { useState } from 'react';
import { paydesk, updateUser } from '../../api/session.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';
import { RenewCodesDialog, SetUpTotpDialog, TurnOffTotpDialog } from './totp-dialogs.tsx';

type Open = 'setUp' | 'turnOff' | 'renew' | null;

/**
 * The codes of an authenticator app, and the recovery codes of every second factor. The profile says whether there is one of either kind,
 * not which: each button does what its dialog says, or is told why not.
 */
export function TotpSection({ user }: { user: UserProfile }) {
  const t = useSecurityText();
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const showCodes = (made: readonly string[] | null) => {
    close();
    setCodes(made);
    void readUser();
  };
  return (
    <Card
      title={t('totp.title')}
      description={t('totp.description')}
      actions={
        <Badge tone={user.two_factor ? 'success' : 'warning'}>{user.two_factor ? t('totp.on') : t('totp.off')}</Badge>
      }
    >
      <div className={styles.buttons}>
        <Button variant={user.two_factor ? 'secondary' : 'primary'} onClick={() => setOpen('setUp')}>
          {t('totp.setUp')}
        </Button>
        {user.two_factor ? (
          <>
            <Button onClick={() => setOpen('renew')}>{t('codes.renew')}</Button>
            <Button onClick={() => setOpen('turnOff')}>{t('totp.turnOff')}</Button>
          </>
        ) : null}
      </div>
      {open === 'setUp' ? <SetUpTotpDialog onClose={close} onDone={showCodes} /> : null}
      {open === 'turnOff' ? <TurnOffTotpDialog onClose={close} onDone={() => showCodes(null)} /> : null}
      {open === 'renew' ? <RenewCodesDialog onClose={close} onDone={showCodes} /> : null}
      {codes === null ? null : <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

/** The profile says whether there is a second factor now. */
export async function readUser(): Promise<void> {
  try {
    updateUser((await paydesk().auth.me.get()).data);
  } catch (error) {
    if (!isPaydeskError(error)) throw error;
  }
}
