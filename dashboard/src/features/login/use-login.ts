import { isPaydeskError, type PublicKeyCredentialRequestOptionsJSON } from '@paydesk/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { askAuthenticator } from '../../api/authenticator.ts';
import { createClient, enter, startSession } from '../../api/session.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { speakTo } from '../../i18n/language.ts';
import { useLoginText } from './text.ts';

/** What the login asks for after the password. */
export type Step = {
  token: string;
  methods: ('totp' | 'recovery_code' | 'passkey')[];
  passkey_options?: PublicKeyCredentialRequestOptionsJSON;
};

export type Proof = { code: string } | { recovery_code: string } | 'passkey';

export type Login = ReturnType<typeof useLogin>;

type Way = { email: string; password: string } | { key: string } | { proof: Proof; step: Step } | 'passkey';

/**
 * Logs somebody in, in one step or two, and goes on to the page.
 *
 * @param returnTo - the path of the app to go on to
 */
export function useLogin(app: 'app' | 'console', returnTo: string) {
  const t = useLoginText();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step | null>(null);
  const texts = { invalid_credentials: t('wrong'), invalid_token: t('expired'), sso_required: t('ssoRequired') };
  const { submit, ...state } = useSubmit(
    async (way: Way) => {
      if (way !== 'passkey' && 'email' in way && (way.email === '' || way.password === ''))
        throw new FormError(t('fill'));
      const client = createClient(app === 'app' ? 'cookie' : 'console');
      if (way !== 'passkey' && 'key' in way) {
        const { data } = await client.auth.logInWithOperatorKey(way).catch((error) => {
          throw isPaydeskError(error, 'invalid_credentials') ? new FormError(t('wrongKey')) : error;
        });
        startSession('console', client, data, 'console');
        return navigate({ href: returnTo, replace: true });
      }
      const { data } = await send(client, way);
      if ('second_factor' in data) return setStep(data.second_factor);
      const path = await enter(client, data, app, returnTo);
      if (path === null) return;
      speakTo(data.user);
      await navigate({ href: path, replace: true });
    },
    {
      texts,
      // The second step has five tries and five minutes; then it begins again.
      onFailure: ({ code }) => (code === 'invalid_token' ? setStep(null) : undefined),
    },
  );
  return {
    step,
    ...state,
    withPassword: (fields: { email: string; password: string }) => submit(fields),
    withKey: (key: string) => submit({ key }),
    withPasskey: () => submit('passkey'),
    withProof: (proof: Proof, of: Step) => submit({ proof, step: of }),
    restart: () => {
      state.clear();
      setStep(null);
    },
  };
}

async function send(client: ReturnType<typeof createClient>, way: Exclude<Way, { key: string }>) {
  if (way === 'passkey') {
    const { data: options } = await client.auth.passkeys.beginLogIn();
    return client.auth.passkeys.logIn({ passkey: await askAuthenticator(options) });
  }
  if ('password' in way) return client.auth.logIn(way);
  const { proof, step } = way;
  const { token, passkey_options: options } = step;
  if (proof !== 'passkey') return client.auth.finishLogIn({ token, ...proof });
  if (options === undefined) throw new Error('The login has no options for a passkey.');
  return client.auth.finishLogIn({ token, passkey: await askAuthenticator(options) });
}
