import type { Passkey, UserProfile } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { AddPasskeyDialog, DeletePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { Rows } from './rows.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';
import { readUser } from './totp-section.tsx';

type Open = 'add' | { action: 'rename' | 'delete'; passkey: Passkey } | null;

/** The passkeys, each of which logs in without a password and is a second factor. */
export function PasskeysSection({ user }: { user: UserProfile }) {
  const t = useSecurityText();
  const cache = useQueryClient();
  // Who has no second factor has no passkey, and may not ask while one is demanded.
  const mayHaveSome = user.two_factor;
  const query = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => paydesk().auth.passkeys.list(),
    enabled: mayHaveSome,
  });
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const done = (made: readonly string[] | null = null) => {
    close();
    setCodes(made);
    void cache.invalidateQueries({ queryKey: ['passkeys'] });
    void readUser();
  };
  return (
    <Card
      title={t('passkeys.title')}
      description={t('passkeys.description')}
      actions={
        <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen('add')}>
          {t('passkeys.add')}
        </Button>
      }
    >
      {mayHaveSome ? (
        <Rows query={query} empty={t('passkeys.empty')}>
          {(passkey) => (
            <li key={passkey.id} className={styles.item}>
              <div>
                <p className={styles.name}>
                  <KeyRound aria-hidden="true" size={16} />
                  {passkey.name}
                  {passkey.backed_up ? <Badge tone="neutral">{t('passkeys.synced')}</Badge> : null}
                </p>
                <p className={styles.fact}>
                  {t('added')} <Instant value={passkey.created_at} as="date" /> ·{' '}
                  {passkey.last_used_at === null ? (
                    t('passkeys.neverUsed')
                  ) : (
                    <>
                      {t('lastUsed')} <Instant value={passkey.last_used_at} />
                    </>
                  )}
                </p>
              </div>
              <div className={styles.buttons}>
                <Button size="small" onClick={() => setOpen({ action: 'rename', passkey })}>
                  {t('passkeys.rename')}
                </Button>
                <Button size="small" onClick={() => setOpen({ action: 'delete', passkey })}>
                  {t('passkeys.delete')}
                </Button>
              </div>
            </li>
          )}
        </Rows>
      ) : (
        <p className={styles.fact}>{t('passkeys.empty')}</p>
      )}
      {open === 'add' ? <AddPasskeyDialog onClose={close} onDone={done} /> : null}
      {typeof open === 'object' && open?.action === 'rename' ? (
        <RenamePasskeyDialog passkey={open.passkey} onClose={close} onDone={() => done()} />
      ) : null}
      {typeof open === 'object' && open?.action === 'delete' ? (
        <DeletePasskeyDialog passkey={open.passkey} onClose={close} onDone={() => done()} />
      ) : null}
      {codes === null ? null : <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}
