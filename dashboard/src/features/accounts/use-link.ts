import { useQuery } from '@tanstack/react-query';
import { type Failure, useFailure } from '../../forms/use-submit.ts';
import { linkSecrets } from '../../shell/fragment.ts';
import { useAccountsText } from './text.ts';

/**
 * Follows the link of this page, once.
 *
 * @param follow - what the link does
 * @returns what it has answered, or the words for what is wrong with it
 */
export function useLink<Answer>(
  name: string,
  secret: 'token' | 'code',
  follow: (secret: string) => Promise<Answer>,
): { answer: Answer | undefined; failure: Failure | null } {
  const t = useAccountsText();
  const failureOf = useFailure({ not_found: t('noInvitation'), session_code_invalid: t('session.invalid') });
  const value = linkSecrets()[secret];
  const { data, error } = useQuery({
    queryKey: ['link', name, value],
    queryFn: async () => ({ answer: await follow(value ?? '') }),
    enabled: value !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (value === null) return { answer: undefined, failure: { errors: {}, message: t('incomplete') } };
  return { answer: data?.answer, failure: error === null ? null : failureOf(error) };
}
