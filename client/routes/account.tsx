import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { useGo } from '../bindings/go.ts'
import { favoritesPath } from '../bindings/play-favorites.ts'
import { useServices } from '../bindings/services.tsx'
import { AccountLayout } from '../features/account/account-layout.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account')({ component: Account })

function Account() {
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/(?<=.)\/+$/, '') })
  const toast = useToast()
  const services = useServices()
  const go = useGo()
  const play = async (shuffle: boolean) => {
    const address = await favoritesPath(services, shuffle).catch(() => undefined)
    if (address === undefined) toast({ text: 'There are no songs in your favorites.' })
    else go(address)
  }
  return (
    <AccountLayout path={path} wide={path === '/account/maker'} onPlayFavorites={(shuffle) => void play(shuffle)}>
      <Outlet />
    </AccountLayout>
  )
}
