import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../button/icon-button.tsx';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';

const SHOWN_MS = 2_000;

/** Copies a text that people pass on, such as a number or an id. */
export function CopyButton({ text, label, copiedLabel }: { text: string; label: string; copiedLabel: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <>
      <IconButton
        label={isCopied ? copiedLabel : label}
        icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={() => void copy()}
      />
      <span role="status">{isCopied ? <VisuallyHidden>{copiedLabel}</VisuallyHidden> : null}</span>
    </>
  );
}
