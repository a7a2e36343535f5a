import { useBlocker } from '@tanstack/react-router';
import { useFormsText } from './text.ts';

/** Asks before a page is left whose changes are not saved. */
export function useUnsaved(isChanged: boolean): void {
  const t = useFormsText();
  useBlocker({
    shouldBlockFn: () => isChanged && !confirm(t('unsaved')),
    enableBeforeUnload: () => isChanged,
    disabled: !isChanged,
  });
}
