import { useSearch } from '@tanstack/react-router';
import { PasswordInput } from '../../forms/password-input.tsx';
import { returnPath } from '../../routes/guard.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './login.module.css';
import { OtherWays } from './other-ways.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { useLoginText } from './text.ts';
import { useLogin } from './use-login.ts';

/** The login of the operator's people and keys. */
export function ConsoleLoginPage() {
  const t = useLoginText();
  const { return_to: wanted } = useSearch({ from: '/console/login' });
  const login = useLogin('console', returnPath(wanted, '/console'));
  if (login.step !== null) {
    return (
      <PublicPage title={t('consoleTitle')} description={t('secondFactor')}>
        <SecondFactorStep login={login} step={login.step} />
      </PublicPage>
    );
  }
  const send = ({ email, password, key }: Record<string, unknown>) =>
    key === '' ? login.withPassword({ email: String(email), password: String(password) }) : login.withKey(String(key));
  return (
    <PublicPage title={t('consoleTitle')}>
      <Form
        errors={login.errors}
        message={login.message}
        onSubmit={(fields) => void send(fields)}
        actions={
          <Button type="submit" variant="primary" pending={login.isPending}>
            {t('submit')}
          </Button>
        }
      >
        <TextField label={t('email')} name="email" type="email" autoComplete="username" />
        <PasswordInput label={t('password')} name="password" />
        <p className={styles.or}>{t('or')}</p>
        <PasswordInput label={t('key')} name="key" description={t('keyDescription')} />
      </Form>
      <OtherWays login={login} returnTo={null} />
    </PublicPage>
  );
}
