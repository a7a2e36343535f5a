import { PasswordField } from '../ui/text-field/password-field.tsx';
import type { TextFieldProps } from '../ui/text-field/text-field.tsx';
import { useFormsText } from './text.ts';

type Props = Omit<TextFieldProps, 'type' | 'suffix'> & {
  /** A new password shows its rules. */
  isNew?: boolean;
};

/** A password, with the words of its button. */
export function PasswordInput({ isNew = false, description, ...rest }: Props) {
  const t = useFormsText();
  return (
    <PasswordField
      {...rest}
      showLabel={t('show')}
      hideLabel={t('hide')}
      description={description ?? (isNew ? t('passwordRules') : undefined)}
      autoComplete={isNew ? 'new-password' : 'current-password'}
    />
  );
}
