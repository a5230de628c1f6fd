import { createFileRoute, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { DashboardPage } from '../features/account/dashboard-page.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account/')({
  validateSearch: ({ discord }): { discord?: string } => (typeof discord === 'string' ? { discord } : {}),
  head: ({ match }) => pageHead(match.context.services.site, 'Dashboard'),
  component: Dashboard,
})

function Dashboard() {
  const { discord } = Route.useSearch()
  const router = useRouter()
  const toast = useToast()
  const leave = () => {
    toast({ text: 'Your account has been deleted.', kind: 'good' })
    router.history.replace('/')
  }
  return <DashboardPage discord={discord} onDeleted={leave} />
}
