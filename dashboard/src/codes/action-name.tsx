import type { messages } from './messages/en.ts';
import { useCodesText } from './text.ts';

/** An action of the audit log in words, with its code on hover. */
export function ActionName({ action }: { action: string }) {
  const name = useActionName();
  return <span title={action}>{name(action)}</span>;
}

type Keys<Words> = { [Kind in keyof Words]: `${Kind & string}.${keyof Words[Kind] & string}` }[keyof Words];

/** Returns the words for an action. Many are events as well, with the same words. One that is newer than this page stays its code. */
export function useActionName(): (action: string) => string {
  const t = useCodesText();
  return (action) => {
    const asEvent = `events.${action as Keys<typeof messages.events>}` as const;
    if (t.has(asEvent)) return t(asEvent);
    const own = `actions.${action as Keys<typeof messages.actions>}` as const;
    return t.has(own) ? t(own) : action;
  };
}
