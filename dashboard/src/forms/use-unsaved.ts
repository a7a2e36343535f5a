import { useBlocker } from '@tanstack/react-router';
import { currentSession } from '../api/session.ts';
import { useFormsText } from './text.ts';

/** Asks before a page is left whose changes are not saved, unless its session is over: nobody else may go on with them. */
export function useUnsaved(isChanged: boolean): void {
  const t = useFormsText();
  useBlocker({
    shouldBlockFn: () => isChanged && !confirm(t('unsaved')),
    enableBeforeUnload: () => isChanged && currentSession() !== null,
    disabled: !isChanged,
  });
}
