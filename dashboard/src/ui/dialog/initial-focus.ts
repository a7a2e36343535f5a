/** What is typed into or chosen from: where the work of a dialog begins. */
const FIELDS =
  'input:not([type=hidden], [type=radio], [readonly], :disabled), textarea:not(:disabled), [role=combobox], input[type=radio]:checked';

/**
 * Returns the first field of a dialog, else the dialog itself, so that its title is read. On a touch screen a field would open the
 * keyboard.
 */
export function initialFocus(popup: HTMLElement | null, openedBy: string): HTMLElement | null {
  return (openedBy === 'touch' ? null : popup?.querySelector<HTMLElement>(FIELDS)) ?? popup;
}
