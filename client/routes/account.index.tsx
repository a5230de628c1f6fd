import { createFileRoute, useRouter } from '@tanstack/react-router'
import { DashboardPage } from '../features/account/dashboard-page.tsx'
import { FavoritesSection } from '../features/favorites/favorites-section.tsx'
import { OutboxNotice } from '../features/offline/outbox-notice.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { useToast } from '../ui/toast.tsx'

declare global {
  /** Whether the script of the account snapshot (`server/pages/deferred-scripts.ts`) has shown the snapshot. */
  var showsSnapshot: boolean | undefined
}

export const Route = createFileRoute('/account/')({
  validateSearch: ({ discord }): { discord?: string } => (typeof discord === 'string' ? { discord } : {}),
  head: createHeadForPage,
  // The account snapshot stays visible until the first render, so the favorites that replace it are loaded before.
  loader: ({ context: { services } }) =>
    globalThis.showsSnapshot && import('../features/favorites/favorites-section.tsx').then(({ loadFavorites }) => loadFavorites(services)),
  component: Dashboard,
})

const OwnPlaylistsSection = lazyWithRetry(() =>
  import('../features/own-playlists/own-playlists-section.tsx').then((module) => module.OwnPlaylistsSection),
)

function Dashboard() {
  const { discord } = Route.useSearch()
  const router = useRouter()
  const toast = useToast()
  const leaveAccount = () => {
    toast({ text: 'Your account has been deleted.', kind: 'good' })
    router.history.replace('/')
  }
  return (
    <DashboardPage
      discordOutcome={discord}
      onDeleted={leaveAccount}
      outboxNotice={<OutboxNotice />}
      favorites={
        <>
          <FavoritesSection />
          <OwnPlaylistsSection />
        </>
      }
    />
  )
}
