import { createFileRoute } from '@tanstack/react-router'
import { NetworkPage } from '../features/network/network-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/network')({
  loader: async ({ context }) => (await import('../features/network/use-network-resource.ts')).preloadNetworkPage(context.services),
  head: createHeadForPage,
  component: NetworkPage,
})
