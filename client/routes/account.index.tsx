import { createFileRoute, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { DashboardPage } from '../features/account/dashboard-page.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/account/')({
  head: ({ match }) => pageHead(match.context.services.site, 'Dashboard'),
  component: Dashboard,
})

function Dashboard() {
  const router = useRouter()
  const toast = useToast()
  const leave = () => {
    toast({ text: 'Your account has been deleted.', kind: 'good' })
    router.history.replace('/')
  }
  return <DashboardPage discord={() => null} onDeleted={leave} />
}
