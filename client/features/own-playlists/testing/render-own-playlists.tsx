import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { ServicesProvider } from '../../../hooks/services.tsx'
import { createTestServices } from '../../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../../platform/identity.ts'
import { ToastRegion } from '../../../ui/toast.tsx'
import '../../../ui/global.css'

/**
 * Renders `content` for a person without an account, whose playlists are `ownPlaylists`, until the test is finished or the returned function is called.
 * @param ownPlaylists the members that the content uses
 */
export function renderOwnPlaylists(ownPlaylists: object, content: ReactNode) {
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  root.render(
    <ServicesProvider
      services={createTestServices({
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists }),
      })}
    >
      <ToastRegion>{content}</ToastRegion>
    </ServicesProvider>,
  )
  const unmount = () => {
    root.unmount()
    hostElement.remove()
  }
  onTestFinished(unmount)
  return unmount
}
