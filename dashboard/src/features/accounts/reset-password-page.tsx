import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createClient } from '../../api/session.ts';
import { PasswordInput } from '../../forms/password-input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { linkSecrets } from '../../shell/fragment.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { LinkProblem } from './link-problem.tsx';
import { useAccountsText } from './text.ts';

/** Sets a new password by the link of a mail. */
export function ResetPasswordPage() {
  const t = useAccountsText();
  const { token } = linkSecrets();
  const [isDone, setIsDone] = useState(false);
  const { submit, isPending, errors, message, code } = useSubmit(
    async (password: string) => {
      await createClient('cookie').auth.password.reset({ token: token ?? '', new_password: password });
    },
    { onDone: () => setIsDone(true) },
  );
  const again = (
    <Link to="/app/forgot-password" className={buttonClass()}>
      {t('reset.again')}
    </Link>
  );
  return (
    <PublicPage title={t('reset.title')} below={<Link to="/app/login">{t('backToLogin')}</Link>}>
      {isDone ? (
        <>
          <div role="status">
            <Banner tone="success">{t('reset.done')}</Banner>
          </div>
          <Link to="/app/login" className={buttonClass({ variant: 'primary' })}>
            {t('logIn')}
          </Link>
        </>
      ) : token === null || code === 'invalid_token' || errors.token !== undefined ? (
        <LinkProblem text={message}>{again}</LinkProblem>
      ) : (
        <Form
          errors={errors}
          message={message}
          onSubmit={({ new_password: password }) => void submit(String(password))}
          actions={
            <Button type="submit" variant="primary" pending={isPending}>
              {t('save')}
            </Button>
          }
        >
          <PasswordInput label={t('newPassword')} name="new_password" isNew required />
        </Form>
      )}
    </PublicPage>
  );
}
