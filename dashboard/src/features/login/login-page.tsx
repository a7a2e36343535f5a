import { useNavigate, useSearch } from '@tanstack/react-router';
import { createClient, startSession } from '../../api/session.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { returnPath } from '../../routes/guard.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/text-field/password-field.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useLoginText } from './text.ts';

/** The login of a company's members, and of staff, who go on to the console. */
export function LoginPage() {
  const t = useLoginText();
  const navigate = useNavigate();
  const { return_to: wanted } = useSearch({ from: '/app/login' });
  const { submit, isPending, errors, message } = useSubmit(async (fields: { email: string; password: string }) => {
    const client = createClient('cookie');
    const { data } = await client.auth.logIn(fields);
    if ('second_factor' in data) throw new Error('The second factor is not asked for yet.');
    startSession('cookie', client, data, 'app');
    await navigate({ href: returnPath(wanted, '/app'), replace: true });
  });
  return (
    <PublicPage title={t('title')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit({ email: String(fields.email), password: String(fields.password) })}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('submit')}
          </Button>
        }
      >
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <PasswordField
          showLabel={t('show')}
          hideLabel={t('hide')}
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
        />
      </Form>
    </PublicPage>
  );
}
