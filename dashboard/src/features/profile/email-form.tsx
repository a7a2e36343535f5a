import type { UserProfile } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './profile.module.css';
import { useProfileText } from './text.ts';

/** The e-mail address, whether it is verified, and its change, which begins when the new address is verified. */
export function EmailForm({ user }: { user: UserProfile }) {
  const t = useProfileText();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [key, setKey] = useState(0);
  const { submit, isPending, errors, message } = useSubmit(
    async ({ email, password }: Record<string, string>) => {
      await paydesk().auth.email.change({ email: email ?? '', ...(password ? { password } : {}) });
      return email ?? '';
    },
    {
      onDone: (email) => {
        setSentTo(email);
        setKey(key + 1);
      },
    },
  );
  return (
    <Form
      key={key}
      errors={errors}
      message={message}
      onSubmit={(fields) => void submit(fields as Record<string, string>)}
      actions={
        <Button type="submit" pending={isPending}>
          {t('email.submit')}
        </Button>
      }
    >
      <FormSection title={t('email.title')} description={t('email.description')}>
        <p className={styles.email}>
          {user.email}
          <Badge tone={user.email_verified ? 'success' : 'warning'}>
            {user.email_verified ? t('email.verified') : t('email.unverified')}
          </Badge>
          {user.email_verified ? null : <Verification email={user.email} />}
        </p>
        <div role="status">
          {sentTo === null ? null : <Banner tone="success">{t('email.sent', { email: sentTo })}</Banner>}
        </div>
        <TextField label={t('email.new')} name="email" type="email" autoComplete="off" required />
        <PasswordAgain />
      </FormSection>
    </Form>
  );
}

/** Sends the mail that verifies the address once more. */
function Verification({ email }: { email: string }) {
  const t = useProfileText();
  const [isSent, setIsSent] = useState(false);
  const { submit, isPending, message } = useSubmit(() => paydesk().auth.email.verification(), {
    onDone: () => setIsSent(true),
  });
  return (
    <>
      <Button size="small" pending={isPending} disabled={isSent} onClick={() => void submit(undefined)}>
        {t('email.again')}
      </Button>
      <span role="status">{isSent ? t('email.sentAgain', { email }) : message}</span>
    </>
  );
}
