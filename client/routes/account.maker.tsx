import { createFileRoute } from '@tanstack/react-router'
import { useKeepMaker } from '../bindings/keep-maker.ts'
import { pageHead } from '../bindings/page-title.ts'
import { NotOpen } from '../features/shell/not-open.tsx'

export const Route = createFileRoute('/account/maker')({
  head: ({ match }) => pageHead(match.context.services.site, 'Maker'),
  component: Maker,
})

function Maker() {
  useKeepMaker()
  return (
    <NotOpen
      title="Maker"
      text="The maker is not open yet. A file that you opened with it or shared to it stays on this device for a day."
    />
  )
}
