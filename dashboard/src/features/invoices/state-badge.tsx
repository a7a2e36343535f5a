import type { ComponentProps } from 'react';
import { Badge } from '../../ui/badge/badge.tsx';
import { STATE_TONES, stateOf } from './state.ts';
import { useInvoicesText } from './text.ts';

/** Where an invoice is, in a word. */
export function StateBadge({ invoice }: { invoice: Parameters<typeof stateOf>[0] }) {
  const t = useInvoicesText();
  const state = stateOf(invoice, Date.now());
  return <Badge tone={STATE_TONES[state] as ComponentProps<typeof Badge>['tone']}>{t(`states.${state}`)}</Badge>;
}
