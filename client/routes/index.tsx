import { createFileRoute } from '@tanstack/react-router'
import { prepare } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { HomePage } from '../features/catalogue/home-page.tsx'

export const Route = createFileRoute('/')({
  loader: ({ context }) => prepare(context.services.catalogue.playlists('home')),
  head: ({ match }) => pageHead(match.context.services.site),
  component: HomePage,
})
