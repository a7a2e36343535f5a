import { Download } from 'lucide-react';
import { useFormsText } from '../../forms/text.ts';
import { saveFile } from '../../lists/save-file.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';

/** The recovery codes, which are shown once: to copy, to save, or to write down. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const text = codes.join('\n');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('codes.title')}
      closeLabel={forms('close')}
      footer={
        <>
          <CopyButton text={text} label={t('codes.copy')} copiedLabel={t('codes.copied')} />
          <Button
            icon={<Download aria-hidden="true" />}
            onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'paydesk-recovery-codes.txt')}
          >
            {t('codes.save')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('codes.kept')}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <Banner tone="warning">{t('codes.description')}</Banner>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
