import { PublicPage } from '../../shell/public-page.tsx';
import { useLoginText } from './text.ts';

/** The login of the operator's people and keys. */
export function ConsoleLoginPage() {
  const t = useLoginText();
  return <PublicPage title={t('consoleTitle')}>{null}</PublicPage>;
}
