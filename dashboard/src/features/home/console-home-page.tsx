import { Page } from '../../shell/page.tsx';
import { useHomeText } from './text.ts';

export function ConsoleHomePage() {
  const t = useHomeText();
  return <Page title={t('title')}>{null}</Page>;
}
