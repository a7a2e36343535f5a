import { useEffect, useRef, useState } from 'react';
import styles from './mails.module.css';

const FIRST_HEIGHT = 320;

/**
 * Shows the HTML of a mail as its reader sees it. The service serves the frame with an origin of its own: no script of a mail runs, nothing
 * is loaded, and the session is out of reach.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  useEffect(() => {
    // The frame has an opaque origin, which no target of a message can name.
    const send = () => frame.current?.contentWindow?.postMessage(html, '*');
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || typeof data !== 'number') return;
      if (data === 0) send();
      else setHeight(data);
    };
    addEventListener('message', hear);
    send();
    return () => removeEventListener('message', hear);
  }, [html]);
  return (
    <iframe
      ref={frame}
      src="/console/mail-frame"
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      title={title}
      height={height}
      className={styles.frame}
    />
  );
}
