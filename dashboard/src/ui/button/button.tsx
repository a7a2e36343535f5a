import { Button as BaseButton } from '@base-ui/react/button';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Spinner } from '../spinner/spinner.tsx';
import { Tooltip } from '../tooltip/tooltip.tsx';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './button.module.css';

export type ButtonLook = { variant?: 'primary' | 'secondary' | 'quiet' | 'danger'; size?: 'small' | 'medium' };

export type ButtonProps = ButtonLook &
  Omit<ComponentProps<typeof BaseButton>, 'className' | 'children'> & {
    icon?: ReactNode;
    /** The action runs: the button can't be used again until it has ended. */
    pending?: boolean;
    /** Why the button can't be used; it stays focusable, so that the reason can be read. */
    disabledReason?: string;
    children: ReactNode;
  };

/** The class of a link that looks like a button. */
export function buttonClass({ variant = 'secondary', size = 'medium' }: ButtonLook = {}): string {
  return `${styles.button} ${styles[variant]} ${styles[size]}`;
}

/** Does something; what leads to another page is a link. */
export function Button({
  variant,
  size,
  icon,
  pending = false,
  disabledReason,
  disabled,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const button = (
    <BaseButton
      {...rest}
      type={type}
      className={buttonClass({ variant, size })}
      disabled={disabled === true || pending || disabledReason !== undefined}
      focusableWhenDisabled={pending || disabledReason !== undefined}
      aria-busy={pending || undefined}
      aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </BaseButton>
  );
  if (disabledReason === undefined) return button;
  return (
    <>
      <Tooltip text={disabledReason}>{button}</Tooltip>
      <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>
    </>
  );
}
