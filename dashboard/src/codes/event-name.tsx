import { EVENT_TYPES } from './event-types.ts';
import { useCodesText } from './text.ts';

/** The type of an event in words, with its code on hover. Null is the type of an event that is no longer kept. */
export function EventName({ type }: { type: string | null }) {
  const name = useEventName();
  return <span title={type ?? undefined}>{name(type)}</span>;
}

/** Returns the words for a type of event. A type that is newer than this page stays its code. */
export function useEventName(): (type: string | null) => string {
  const t = useCodesText();
  return (type) => {
    if (type === null) return t('noEvent');
    const known = EVENT_TYPES.find((one) => one === type);
    return known === undefined ? type : t(`events.${known}`);
  };
}
