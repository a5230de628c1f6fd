import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '../features/network/members-page.tsx'
import { pageHead } from '../hooks/page-title.ts'

export const Route = createFileRoute('/members')({
  loader: async ({ context }) => (await import('../features/network/use-community.ts')).preloadCommunity(context.services, 'members'),
  head: pageHead,
  component: MembersPage,
})
