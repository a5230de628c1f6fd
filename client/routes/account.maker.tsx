import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { MakerPage } from '../features/maker/maker-page.tsx'

export const Route = createFileRoute('/account/maker')({
  head: ({ match }) => pageHead(match.context.services.site, 'Maker'),
  component: MakerPage,
})
