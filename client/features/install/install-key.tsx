import { lazy, Suspense, useState } from 'react'
import { useInstall } from '../../bindings/install.ts'
import { useSite } from '../../bindings/services.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'

const InstallSteps = lazy(() => import('./install-steps.tsx').then((module) => ({ default: module.InstallSteps })))

/** Puts the site on the home screen; nothing where that cannot be done from here, or is done already. */
export function InstallKey({ size = 'normal' }: { size?: 'normal' | 'big' }) {
  const { way, install } = useInstall()
  const { NAME } = useSite().settings
  const [explaining, setExplaining] = useState(false)
  if (way === 'none' || way === 'installed') return null
  return (
    <>
      <Key variant="flat" size={size} icon="download" onClick={() => (way === 'press' ? void install() : setExplaining(true))}>
        Install app
      </Key>
      {way === 'steps' && (
        <Dialog open={explaining} onClose={() => setExplaining(false)} title={`Install ${NAME}`}>
          <Suspense>
            <InstallSteps />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}
