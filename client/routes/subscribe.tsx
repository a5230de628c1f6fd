import { createFileRoute } from '@tanstack/react-router'
import { SubscribePage } from '../features/documents/subscribe-page.tsx'
import { SamplePlayer } from '../features/maker/sample.tsx'
import { createDocumentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/subscribe')({
  ...createDocumentRoute('plans'),
  component: () => <SubscribePage sample={<SamplePlayer />} />,
})
