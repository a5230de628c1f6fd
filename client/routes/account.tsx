import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router'
import { AccountLayout } from '../features/account/account-layout.tsx'
import { findFavoritesPath } from '../features/favorites/favorites-path.ts'
import { useNavigateTo } from '../hooks/paths.ts'
import { useServices } from '../hooks/services.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account')({ component: Account })

function Account() {
  // The path of the page that is shown, because the location is already that of the next page while it is being loaded.
  const routePath = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname.replace(/(?<=[^/]|^\/)\/+$/, '') ?? '' })
  const toast = useToast()
  const services = useServices()
  const navigateTo = useNavigateTo()
  const playFavorites = async (isShuffled: boolean) => {
    try {
      const songPath = await findFavoritesPath(services, isShuffled)
      if (songPath === undefined) toast({ text: 'There are no songs in your favorites.' })
      else navigateTo(songPath)
    } catch {
      toast({
        text: 'Your favorites could not be loaded.',
        kind: 'bad',
        action: { label: 'Retry', onSelect: () => void playFavorites(isShuffled) },
      })
    }
  }
  return (
    <AccountLayout path={routePath} wide={routePath === '/account/maker'} onPlayFavorites={(shuffle) => void playFavorites(shuffle)}>
      <Outlet />
    </AccountLayout>
  )
}
