import { useState } from 'react'
import { useInstall } from '../../bindings/install.ts'
import { useSite } from '../../bindings/services.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './install-key.module.css'

/** Puts the site on the home screen; nothing where that cannot be done from here, or is done already. */
export function InstallKey({ size = 'normal' }: { size?: 'normal' | 'big' }) {
  const { way, device, install } = useInstall()
  const { NAME } = useSite().settings
  const [explaining, setExplaining] = useState(false)
  if (way === 'none' || way === 'installed') return null
  return (
    <>
      <Key variant="flat" size={size} icon="download" onClick={() => (way === 'press' ? void install() : setExplaining(true))}>
        Install app
      </Key>
      <Dialog open={explaining} onClose={() => setExplaining(false)} title={`Install ${NAME}`}>
        <ol className={styles.steps}>
          <li>
            Press <Icon name="share" size="s" className={styles.share} /> <strong>Share</strong>{' '}
            {device === 'phone' ? "in the browser's bar" : 'beside the address'}.{' '}
            <span className={typeStyles.muted}>Where you do not see it, it is behind the three dots.</span>
          </li>
          <li>
            Choose <strong>Add to Home Screen</strong>. <span className={typeStyles.muted}>It stands further down in the list.</span>
          </li>
          <li>
            Press <strong>Add</strong>. {NAME} then opens from your home screen, without a connection too.
          </li>
        </ol>
      </Dialog>
    </>
  )
}
