import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from '../tooltip/tooltip.tsx';
import styles from './button.module.css';

type Props = Omit<ComponentProps<typeof BaseButton>, 'className' | 'children'> & { label: string; icon: ReactNode };

/** A button of an icon alone. Its label is its name, and shows on hover and focus. */
export function IconButton({ label, icon, type = 'button', ...rest }: Props) {
  return (
    <Tooltip text={label}>
      <BaseButton
        {...rest}
        type={type}
        aria-label={label}
        className={`${styles.button} ${styles.quiet} ${styles.iconOnly}`}
      >
        {icon}
      </BaseButton>
    </Tooltip>
  );
}
