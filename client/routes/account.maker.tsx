import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { NotOpen } from '../features/shell/not-open.tsx'

export const Route = createFileRoute('/account/maker')({
  head: ({ match }) => pageHead(match.context.services.site, 'Maker'),
  component: () => <NotOpen title="Maker" text="The maker is not open yet. A file that you opened with it or shared to it was not kept." />,
})
