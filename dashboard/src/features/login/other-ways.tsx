import { Building2, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { goToProvider } from '../../api/single-sign-on.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './login.module.css';
import { useLoginText } from './text.ts';
import type { Login } from './use-login.ts';

/**
 * The ways to log in without a password.
 *
 * @param returnTo - the path to which a sign-in provider leads back; null where no provider logs in
 */
export function OtherWays({ login, returnTo }: { login: Login; returnTo: string | null }) {
  const t = useLoginText();
  const [isProviderAsked, setIsProviderAsked] = useState(false);
  return (
    <div className={styles.ways}>
      <p className={styles.or}>{t('or')}</p>
      <Button
        icon={<KeyRound aria-hidden="true" />}
        disabled={login.isPending}
        onClick={() => void login.withPasskey()}
      >
        {t('passkey')}
      </Button>
      {returnTo === null || isProviderAsked ? null : (
        <Button icon={<Building2 aria-hidden="true" />} onClick={() => setIsProviderAsked(true)}>
          {t('sso')}
        </Button>
      )}
      {returnTo !== null && isProviderAsked ? <ProviderForm returnTo={returnTo} /> : null}
    </div>
  );
}

function ProviderForm({ returnTo }: { returnTo: string }) {
  const t = useLoginText();
  const { submit, isPending, errors, message } = useSubmit(async (provider: string) => {
    if (!(await goToProvider(provider, returnTo))) throw new FormError(t('unknownProvider'));
  });
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={({ provider }) => void submit(String(provider).trim())}
      actions={
        <Button type="submit" pending={isPending}>
          {t('goOn')}
        </Button>
      }
    >
      <TextField
        label={t('provider')}
        name="provider"
        description={t('providerDescription')}
        autoCapitalize="none"
        autoFocus
        required
      />
    </Form>
  );
}
