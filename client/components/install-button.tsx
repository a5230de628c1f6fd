import { useState } from 'react'
import { useAppInstaller } from '../hooks/install.ts'
import { useSite } from '../hooks/services.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

const InstallSteps = lazyWithRetry(() => import('./install-steps.tsx').then((module) => module.InstallSteps))

/** A button that installs the app. Renders nothing if the app is installed or cannot be installed. */
export function InstallButton({ size = 'normal' }: { size?: 'normal' | 'big' }) {
  const { method, install } = useAppInstaller()
  const { NAME } = useSite().settings
  const [isExplainingInstall, setIsExplaining] = useState(false)
  if (method === 'none' || method === 'installed') return null
  return (
    <>
      <Button variant="tertiary" size={size} icon="download" onClick={() => (method === 'press' ? void install() : setIsExplaining(true))}>
        Install app
      </Button>
      {method === 'steps' && (
        <Dialog open={isExplainingInstall} onClose={() => setIsExplaining(false)} title={`Install ${NAME}`}>
          <InstallSteps />
        </Dialog>
      )}
    </>
  )
}
