import { useSession } from '../api/session.ts';
import { useFormsText } from './text.ts';

/** Returns the reason why the operator's person or key may not do what takes this role; undefined if they may. */
export function useLacksRole(needed: 'finance' | 'admin'): string | undefined {
  const t = useFormsText();
  const role = useSession()?.operatorRole;
  return role === 'admin' || role === needed ? undefined : t(`lacksRole.${needed}`);
}
