import { createFileRoute } from '@tanstack/react-router'
import { preloadResources } from '../bindings/catalogue.ts'
import { HomePage } from '../features/catalogue/home-page.tsx'

export const Route = createFileRoute('/')({
  loader: ({ context }) => preloadResources(context.services.catalogue.playlists('home')),
  head: ({ match }) => ({ meta: [{ title: match.context.services.site.settings.META_TITLE }] }),
  component: HomePage,
})
