import type { UserProfile } from '@paydesk/client';
import { useState } from 'react';
import { endedElsewhere, paydesk } from '../../api/session.ts';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { useFormsText } from '../../forms/text.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';
import { passwordOf } from './totp-dialogs.tsx';

/** Deletes the account of who is logged in. */
export function DeleteSection({ user }: { user: UserProfile }) {
  const t = useSecurityText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title={t('delete.title')} description={t('delete.description')}>
      <div className={styles.buttons}>
        <Button onClick={() => setIsOpen(true)}>{t('delete.title')}</Button>
      </div>
      {isOpen ? <DeleteDialog user={user} onClose={() => setIsOpen(false)} /> : null}
    </Card>
  );
}

function DeleteDialog({ user, onClose }: { user: UserProfile; onClose: () => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ typed = '', ...fields }: Record<string, string>) => {
      if (typed.trim() !== user.email) throw new FormError(t('delete.typedWrong'));
      await paydesk().auth.me.delete(passwordOf(fields));
    },
    { onDone: () => endedElsewhere(user.staff_role === null ? '/app/login' : '/console/login') },
  );
  return (
    <Dialog open onClose={onClose} title={t('delete.title')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Record<string, string>)}
        actions={
          <Button type="submit" variant="danger" pending={isPending}>
            {t('delete.title')}
          </Button>
        }
      >
        <p>{t('delete.warning', { email: user.email })}</p>
        <TextField label={t('delete.type')} name="typed" autoComplete="off" required />
        <PasswordAgain />
      </Form>
    </Dialog>
  );
}
