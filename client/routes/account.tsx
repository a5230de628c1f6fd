import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { AccountLayout } from '../features/account/account-layout.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account')({ component: Account })

function Account() {
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/(?<=.)\/+$/, '') })
  const toast = useToast()
  return (
    <AccountLayout
      path={path}
      wide={path === '/account/maker'}
      onPlayFavorites={() => toast({ text: 'There are no songs in your favorites.' })}
    >
      <Outlet />
    </AccountLayout>
  )
}
