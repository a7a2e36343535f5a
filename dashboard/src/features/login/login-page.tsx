import { Link, useSearch } from '@tanstack/react-router';
import { PasswordInput } from '../../forms/password-input.tsx';
import { returnPath } from '../../routes/guard.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './login.module.css';
import { OtherWays } from './other-ways.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { useLoginText } from './text.ts';
import { useLogin } from './use-login.ts';

/** The login of a company's members, and of staff, who go on to the console. */
export function LoginPage() {
  const t = useLoginText();
  const { return_to: wanted, error } = useSearch({ from: '/app/login' });
  const returnTo = returnPath(wanted, '/app');
  const login = useLogin('app', returnTo);
  if (login.step !== null) {
    return (
      <PublicPage title={t('title')} description={t('secondFactor')}>
        <SecondFactorStep login={login} step={login.step} />
      </PublicPage>
    );
  }
  return (
    <PublicPage
      title={t('title')}
      below={
        <p>
          {t('noAccount')} <Link to="/app/signup">{t('signUp')}</Link>
        </p>
      }
    >
      {error === undefined || login.message !== undefined ? null : (
        <div role="alert">
          <Banner tone="danger">
            {t(t.has(`failed.${error as 'sso_failed'}`) ? `failed.${error as 'sso_failed'}` : 'failed.sso_failed')}
          </Banner>
        </div>
      )}
      <Form
        errors={login.errors}
        message={login.message}
        onSubmit={(fields) =>
          void login.withPassword({ email: String(fields.email), password: String(fields.password) })
        }
        actions={
          <Button type="submit" variant="primary" pending={login.isPending}>
            {t('submit')}
          </Button>
        }
      >
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <PasswordInput label={t('password')} name="password" required />
        <p className={styles.forgot}>
          <Link to="/app/forgot-password">{t('forgot')}</Link>
        </p>
      </Form>
      <OtherWays login={login} returnTo={returnTo} />
    </PublicPage>
  );
}
