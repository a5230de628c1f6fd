import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { MembersPage } from '../features/network/members-page.tsx'

export const Route = createFileRoute('/members')({
  loader: async ({ context }) => (await import('../bindings/community.ts')).preloadCommunity(context.services, 'members'),
  head: pageHead,
  component: () => <MembersPage renderProblem={renderLoadProblem} />,
})
