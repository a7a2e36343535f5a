import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './login.module.css';
import { useLoginText } from './text.ts';
import type { Login, Step } from './use-login.ts';

/** The second step of the login: the code of the app, a recovery code, or a passkey. */
export function SecondFactorStep({ login, step }: { login: Login; step: Step }) {
  const t = useLoginText();
  const { methods } = step;
  const [way, setWay] = useState(methods.find((method) => method !== 'passkey') ?? 'recovery_code');
  const other = way === 'totp' ? 'recovery_code' : 'totp';
  return (
    <>
      <Form
        key={way}
        errors={login.errors}
        message={login.message}
        onSubmit={({ code }) => void login.withProof(proofOf(way, String(code).trim()), step)}
        actions={
          <>
            <Button type="submit" variant="primary" pending={login.isPending}>
              {t('submit')}
            </Button>
            <Button variant="quiet" onClick={login.restart}>
              {t('back')}
            </Button>
          </>
        }
      >
        {way === 'totp' ? (
          <TextField
            key="totp"
            label={t('code')}
            name="code"
            description={t('codeDescription')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            required
          />
        ) : (
          <TextField
            key="recovery"
            label={t('recoveryCode')}
            name="code"
            description={t('recoveryCodeDescription')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
          />
        )}
      </Form>
      <div className={styles.ways}>
        {methods.includes('passkey') ? (
          <Button icon={<KeyRound aria-hidden="true" />} onClick={() => void login.withProof('passkey', step)}>
            {t('passkey')}
          </Button>
        ) : null}
        {methods.includes(other) ? <Button onClick={() => setWay(other)}>{t(`use.${other}`)}</Button> : null}
      </div>
    </>
  );
}

function proofOf(way: 'totp' | 'recovery_code' | 'passkey', code: string) {
  return way === 'totp' ? { code: code.replaceAll(/\s/g, '') } : { recovery_code: code };
}
