import { Link, useNavigate } from '@tanstack/react-router';
import { createClient, enter } from '../../api/session.ts';
import { PasswordInput } from '../../forms/password-input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useAccountsText } from './text.ts';

/** Creates a company with its first member. */
export function SignupPage() {
  const t = useAccountsText();
  const navigate = useNavigate();
  const { submit, isPending, errors, message } = useSubmit(async (fields: Record<string, string>) => {
    const client = createClient('cookie');
    const { first_name = '', last_name = '', email = '', password = '' } = fields;
    const { data } = await client.auth.signUpAdmin({ first_name, last_name, email, password });
    const path = await enter(client, data, 'app', '/app');
    if (path !== null) await navigate({ href: path, replace: true });
  });
  return (
    <PublicPage
      title={t('signup.title')}
      description={t('signup.description')}
      below={
        <p>
          {t('hasAccount')} <Link to="/app/login">{t('logIn')}</Link>
        </p>
      }
    >
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Record<string, string>)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('signup.submit')}
          </Button>
        }
      >
        <FieldRow>
          <TextField label={t('firstName')} name="first_name" autoComplete="given-name" required />
          <TextField label={t('lastName')} name="last_name" autoComplete="family-name" required />
        </FieldRow>
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <PasswordInput label={t('password')} name="password" isNew required />
      </Form>
    </PublicPage>
  );
}
