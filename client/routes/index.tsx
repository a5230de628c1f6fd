import { createFileRoute } from '@tanstack/react-router'
import type { Song } from '../../contract/song.ts'
import { preloadResources } from '../bindings/catalogue.ts'
import { HomePage } from '../features/catalogue/home-page.tsx'
import { RecentSection } from '../features/recent/recent-section.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

export const Route = createFileRoute('/')({
  loader: ({ context }) => preloadResources(context.services.catalogue.playlists('home')),
  head: ({ match }) => ({ meta: [{ title: match.context.services.site.settings.META_TITLE }] }),
  component: Home,
})

// The list is an on-demand chunk, because first visits have no history.
const RecentList = lazyWithRetry(() => import('../features/catalogue/song-list.tsx').then((module) => module.SongList))

const renderList = (songs: readonly Song[], getContextId: (song: Song) => string) => (
  <RecentList songs={songs} getContextId={getContextId} numbered={false} label="Continue listening" />
)
const recentSection = <RecentSection renderList={renderList} />

function Home() {
  return <HomePage recent={recentSection} />
}
