import { useQuery } from '@tanstack/react-query';
import { paydesk } from '../api/session.ts';
import { PasswordInput } from './password-input.tsx';
import { useFormsText } from './text.ts';

/**
 * The password once more, before a change of how somebody logs in. Who logs in with a provider alone has none: the service asks for a
 * recent login instead.
 */
export function PasswordAgain({ name = 'password', label }: { name?: string; label?: string }) {
  const t = useFormsText();
  const { data } = useQuery({ queryKey: ['sign-in-links'], queryFn: () => paydesk().auth.links.list() });
  const mayLackOne = (data?.data.length ?? 0) > 0;
  return (
    <PasswordInput
      label={label ?? t('password')}
      name={name}
      description={mayLackOne ? t('noPassword') : undefined}
      required={!mayLackOne}
    />
  );
}
