import { createFileRoute } from '@tanstack/react-router'
import type { Song } from '../../contract/song.ts'
import { HomePage } from '../features/catalogue/home-page.tsx'
import { TodaysPromotion } from '../features/promotion/todays-promotion.tsx'
import { RadioSection } from '../features/radio/radio-section.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

export const Route = createFileRoute('/')({
  loader: ({ context }) => preloadResources(context.services.catalogue.playlists('home')),
  head: ({ match }) => ({ meta: [{ title: match.context.services.site.settings.META_TITLE }] }),
  component: Home,
})

// Both are on-demand chunks, because first visits have no history. Without them the page lacks nothing that was asked for.
const RecentSection = lazyWithRetry(() => import('../features/recent/recent-section.tsx').then((module) => module.RecentSection), {
  renderError: () => null,
})
const RecentList = lazyWithRetry(() => import('../components/song-list.tsx').then((module) => module.SongList))

const renderList = (songs: readonly Song[], getContextId: (song: Song) => string) => (
  <RecentList songs={songs} getContextId={getContextId} numbered={false} label="Continue listening" />
)
const recentSection = <RecentSection renderList={renderList} />
const promotionSection = <TodaysPromotion />

function Home() {
  return <HomePage recent={recentSection} promotion={promotionSection} radio={<RadioSection />} />
}
