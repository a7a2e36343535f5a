import type { UserProfile } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
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

/** The codes of an authenticator app, and the recovery codes of every second factor, which may be a passkey. */
export function TotpSection({ user }: { user: UserProfile }) {
  const t = useSecurityText();
  const cache = useQueryClient();
  // Who lacks a second factor that is demanded may not ask.
  const query = useQuery({ queryKey: ['totp'], queryFn: () => paydesk().auth.totp.get(), enabled: user.two_factor });
  const isOn = user.two_factor ? query.data?.data.enabled : false;
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const showCodes = (made: readonly string[] | null) => {
    close();
    setCodes(made);
    void cache.invalidateQueries({ queryKey: ['totp'] });
    void readUser();
  };
  return (
    <Card
      title={t('totp.title')}
      description={t('totp.description')}
      actions={
        isOn === undefined ? null : (
          <Badge tone={isOn ? 'success' : user.two_factor ? 'neutral' : 'warning'}>
            {isOn ? t('totp.on') : t('totp.off')}
          </Badge>
        )
      }
    >
      <div className={styles.buttons}>
        {isOn === false ? (
          <Button variant={user.two_factor ? 'secondary' : 'primary'} onClick={() => setOpen('setUp')}>
            {t('totp.setUp')}
          </Button>
        ) : null}
        {user.two_factor ? <Button onClick={() => setOpen('renew')}>{t('codes.renew')}</Button> : null}
        {isOn ? <Button onClick={() => setOpen('turnOff')}>{t('totp.turnOff')}</Button> : null}
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
