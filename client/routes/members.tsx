import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '../features/network/members-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/members')({
  loader: async ({ context }) =>
    (await import('../features/network/use-network-resource.ts')).preloadNetworkResources(context.services, 'members'),
  head: createHeadForPage,
  component: MembersPage,
})
