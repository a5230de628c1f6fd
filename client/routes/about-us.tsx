import { createFileRoute } from '@tanstack/react-router'
import { AboutPage } from '../features/documents/about-page.tsx'
import { createDocumentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/about-us')({
  ...createDocumentRoute('timeline'),
  component: AboutPage,
})
