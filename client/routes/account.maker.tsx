import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { LockedPanel } from '../features/account/locked-panel.tsx'
import { MakerPage } from '../features/maker/maker-page.tsx'

export const Route = createFileRoute('/account/maker')({
  head: pageHead,
  component: () => <MakerPage lockedContent={<LockedPanel />} />,
})
