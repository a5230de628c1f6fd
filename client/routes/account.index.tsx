import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { NotOpen } from '../features/shell/not-open.tsx'

export const Route = createFileRoute('/account/')({
  head: ({ match }) => pageHead(match.context.services.site, 'Dashboard'),
  component: () => <NotOpen title="Dashboard" text="Your favorite songs will stand here. Accounts are not open yet." />,
})
