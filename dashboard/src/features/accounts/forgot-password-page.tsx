import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createClient } from '../../api/session.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useAccountsText } from './text.ts';

/** Asks for the link that resets a forgotten password. */
export function ForgotPasswordPage() {
  const t = useAccountsText();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { submit, isPending, errors, message } = useSubmit(
    async (email: string) => {
      await createClient('cookie').auth.password.forgot({ email });
      return email;
    },
    { onDone: setSentTo },
  );
  return (
    <PublicPage
      title={t('forgot.title')}
      description={t('forgot.description')}
      below={<Link to="/app/login">{t('backToLogin')}</Link>}
    >
      <div role="status">
        {sentTo === null ? null : <Banner tone="success">{t('forgot.sent', { email: sentTo })}</Banner>}
      </div>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ email }) => void submit(String(email))}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('forgot.submit')}
          </Button>
        }
      >
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
      </Form>
    </PublicPage>
  );
}
