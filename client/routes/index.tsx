import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../features/catalogue/home-page.tsx'
import { TodaysPromotion } from '../features/promotion/todays-promotion.tsx'
import { RadioSection } from '../features/radio/radio-section.tsx'
import { RecentSectionPlaceholder } from '../features/recent/recent-frame.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

export const Route = createFileRoute('/')({
  loader: ({ context }) => preloadResources(context.services.catalogue.playlists('home')),
  head: ({ match }) => ({ meta: [{ title: match.context.services.site.settings.META_TITLE }] }),
  component: Home,
})

// The section of recent songs is an on-demand chunk, because a first visit has no history. If the chunk cannot be loaded, the section is
// left out without an error message, because the person did not request it.
const RecentSection = lazyWithRetry(() => import('../features/recent/recent-section.tsx').then((module) => module.RecentSection), {
  fallback: () => <RecentSectionPlaceholder />,
  renderError: () => null,
})
const recentSection = <RecentSection />
const promotionSection = <TodaysPromotion />

function Home() {
  return <HomePage recent={recentSection} promotion={promotionSection} radio={<RadioSection />} />
}
