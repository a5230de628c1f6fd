import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { NetworkPage } from '../features/network/network-page.tsx'

export const Route = createFileRoute('/network')({
  loader: async ({ context }) => (await import('../bindings/network.ts')).preloadNetwork(context.services),
  head: pageHead,
  component: () => <NetworkPage renderProblem={renderLoadProblem} />,
})
