import { createFileRoute, redirect } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { requestRandomSongPath } from '../features/catalogue/use-random-song.ts'

/**
 * Resolves the server's redirects below `/go/` on the client, so that they work offline. The shortcuts of the installed app open these
 * paths. An error is shown by the route's error component, with a Retry button.
 */
export const Route = createFileRoute('/go/$target')({
  async loader({ context: { services }, params: { target } }) {
    if (target === 'home') throw redirect({ href: '/', replace: true })
    if (target === 'random') throw redirect({ href: await requestRandomSongPath(services), replace: true })
    if (target === 'favorites') {
      const { findFavoritesPath } = await import('../features/favorites/favorites-path.ts')
      const latestPath = await findFavoritesPath(services).catch(() => undefined)
      throw redirect({ href: latestPath ?? '/account#favorites', replace: true })
    }
    if (target === 'radio') throw redirect({ href: `${services.site.radio_url}/`, replace: true })
  },
  component: NotFoundPage,
})
