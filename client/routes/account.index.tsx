import { createFileRoute, useRouter } from '@tanstack/react-router'
import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { Song } from '../../contract/song.ts'
import { pageHead } from '../bindings/page-title.ts'
import { DashboardPage } from '../features/account/dashboard-page.tsx'
import { ScrolledSongList } from '../features/catalogue/scrolled-song-list.tsx'
import { FavoritesSection } from '../features/favorites/favorites-section.tsx'
import { UnsentLine } from '../features/offline/unsent-line.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account/')({
  validateSearch: ({ discord }): { discord?: string } => (typeof discord === 'string' ? { discord } : {}),
  head: ({ match }) => pageHead(match.context.services.site, 'Dashboard'),
  component: Dashboard,
})

const context = () => FAVORITES_ID
const favoriteList = (songs: readonly Song[]) => <ScrolledSongList songs={songs} contextOf={context} label="Favorites" />

function Dashboard() {
  const { discord } = Route.useSearch()
  const router = useRouter()
  const toast = useToast()
  const leave = () => {
    toast({ text: 'Your account has been deleted.', kind: 'good' })
    router.history.replace('/')
  }
  return <DashboardPage discord={discord} onDeleted={leave} unsent={<UnsentLine />} favorites={<FavoritesSection list={favoriteList} />} />
}
