import { createFileRoute, redirect } from '@tanstack/react-router'
import { randomSongPath } from '../bindings/random-song.ts'
import { NotFound } from '../features/shell/not-found.tsx'

/**
 * The server's redirects, where it cannot be reached: what shortcuts of the installed app open. A failure is the route's
 * error, with its Retry.
 */
export const Route = createFileRoute('/go/$target')({
  async loader({ context: { services }, params: { target } }) {
    if (target === 'random') throw redirect({ href: await randomSongPath(services), replace: true })
    if (target === 'favorites') throw redirect({ href: '/account', replace: true })
    if (target === 'radio') throw redirect({ href: `${services.site.radio_url}/`, replace: true })
  },
  component: NotFound,
})
