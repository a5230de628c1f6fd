import { createFileRoute } from '@tanstack/react-router'
import { AboutPage } from '../features/documents/about-page.tsx'
import { documentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/about-us')({
  ...documentRoute('timeline'),
  component: AboutPage,
})
