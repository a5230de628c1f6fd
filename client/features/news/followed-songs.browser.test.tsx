import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { FollowedSongs } from './followed-songs.tsx'

it('followed artists: if unfollowing fails, only the failure is reported', async () => {
  const subscribe = () => () => {}
  const artists = [{ name: 'Ann', atMs: 0 }]
  const loadedSongs = { status: 'ready' as const, data: { songs: [], unseenCount: 0 }, error: undefined, stale: false }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <ServicesProvider
      services={createTestServices({
        database: { health: 'persistent' },
        identity: anonymousIdentity,
        offlineMutations: async () => ({
          follows: { list: () => ({ subscribe, getSnapshot: () => artists }), change: () => Promise.reject(new Error('Not stored.')) },
          followedSongs: () => ({
            subscribe,
            getSnapshot: () => loadedSongs,
            getServerSnapshot: () => loadedSongs,
            refresh: async () => {},
          }),
        }),
      })}
    >
      <ToastRegion>
        <FollowedSongs />
      </ToastRegion>
    </ServicesProvider>,
  )
  await page.getByRole('button', { name: '1 artist' }).click()
  await page.getByRole('button', { name: 'Unfollow Ann' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent("This couldn't be saved on this device.")
  await expect.element(page.getByText('No longer followed')).not.toBeInTheDocument()
  root.unmount()
})
