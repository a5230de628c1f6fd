import { createFileRoute, redirect } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'

/**
 * Resolves the server's redirects below `/go/` on the client, so that they work offline. The shortcuts of the installed app open these
 * paths. An error is shown by the route's error component, with a Retry button.
 */
export const Route = createFileRoute('/go/$target')({
  async loader({ context: { services }, params: { target } }) {
    const { findTargetAddress } = await import('./-go-targets.ts')
    const href = await findTargetAddress(services, target)
    if (href !== undefined) throw redirect({ href, replace: true })
  },
  component: NotFoundPage,
})
